export const SCHEMA_PATTERN_LENGTH_MAX = 512;

/** JSON Schema demands Unicode patterns, but many patterns in use are none, such as `\-` outside of a class. */
export function schemaRegExp(pattern: string, maxLength = SCHEMA_PATTERN_LENGTH_MAX): RegExp {
  if (pattern.length > maxLength) {
    throw new Error(`a pattern must not be longer than ${maxLength} characters`);
  }
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
