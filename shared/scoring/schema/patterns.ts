import { messageOf } from '../kit/guard.ts';
import { PATTERN_LENGTH_MAX } from '../kit/limits.ts';
import { foreignPart } from '../patterns/foreign.ts';

/** JSON Schema demands Unicode patterns, but many patterns in use are none, such as `\-` outside of a class. */
export function schemaRegExp(pattern: string, maxLength = PATTERN_LENGTH_MAX): RegExp {
  if (pattern.length > maxLength) {
    throw new Error(`a pattern must not be longer than ${maxLength} characters`);
  }
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

/** Why a pattern of a schema cannot be used; null for one that can. */
export function whyNoSchemaPattern(pattern: string): string | null {
  const why = whyUncompilable(() => schemaRegExp(pattern));
  if (pattern.length > PATTERN_LENGTH_MAX) return why;
  const foreign = foreignPart(pattern, {
    isUnicode: whyUncompilable(() => new RegExp(pattern, 'u')) === null,
    toUnicode: 'leave out what only other patterns may hold, such as \\-, so that it is one by Unicode rules',
    toFlags: 'write both cases, as in [Aa], since a schema has no place for a flag',
  });
  return foreign === null ? why : `a pattern ${foreign}`;
}

function whyUncompilable(make: () => RegExp): string | null {
  try {
    // V8 compiles when a pattern is first used, and refuses some only then.
    make().exec('');
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
