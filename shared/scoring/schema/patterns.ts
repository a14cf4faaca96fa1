export const MAX_SCHEMA_PATTERN_LENGTH = 512;

/** JSON Schema asks for Unicode patterns, and much that is written is not one: `\-` outside of a class. */
export function schemaRegExp(pattern: string, maxLength = MAX_SCHEMA_PATTERN_LENGTH): RegExp {
  if (pattern.length > maxLength) {
    throw new Error(`a pattern must not be longer than ${maxLength} characters`);
  }
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
