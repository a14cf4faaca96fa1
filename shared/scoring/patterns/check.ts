import { messageOf } from '../execution/guard.ts';
import { foreignPart } from './foreign.ts';
import { EMPTY_PATTERN, expressionOf } from './pattern.ts';

export { neverNormalized } from './normalized.ts';

/** Why a pattern cannot be used; null for one that can. Takes as long as it takes to compile. */
export function whyUnusable(pattern: string, flags: string): string | null {
  if (pattern === '') return EMPTY_PATTERN;
  const isUnicode = flags.includes('u');
  const foreign = foreignPart(pattern, {
    isUnicode,
    toUnicode: 'give the flag u in `flags`',
    toFlags: 'give the flag in `flags`',
  });
  if (foreign !== null) return foreign;
  try {
    // V8 compiles when a pattern is first used, and refuses some only then.
    expressionOf(pattern, flags).exec('');
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
