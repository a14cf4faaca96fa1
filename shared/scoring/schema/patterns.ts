export const MAX_SCHEMA_PATTERN_LENGTH = 512;

/** JSON Schema asks for Unicode patterns, and much that is written is not one: `\-` outside of a class. */
export function schemaRegExp(pattern: string): RegExp {
  if (pattern.length > MAX_SCHEMA_PATTERN_LENGTH) {
    throw new Error(`a pattern must not be longer than ${MAX_SCHEMA_PATTERN_LENGTH} characters`);
  }
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
