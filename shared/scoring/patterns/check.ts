import { messageOf } from '../kit/guard.ts';
import { foreignPart } from './foreign.ts';
import { EMPTY_PATTERN, expressionOf } from './pattern.ts';

export { neverNormalized } from './normalized.ts';

const IN_EVERY_TEXT = 'is found in every text, since it may match nothing: write what has to be there';
const PARTS = /\\.|\[(?:\\.|[^\]\\])*(?:\]|\\?$)/gs;
const ASSERTION = /\\b|[\^$]|\(\?<?[=!]/i;

/**
 * Whether a pattern is found in every text: it may match nothing, and asks for nothing around it. An anchor at its beginning
 * or end holds at an end of the text, but for a sticky one, which looks at its start only.
 */
function isInEveryText(pattern: string, flags: string): boolean {
  const end = flags.includes('y') ? pattern : pattern.replace(/(?<!\\)\$$/, '');
  const rest = pattern.startsWith('^') ? pattern.slice(1) : end;
  if (ASSERTION.test(rest.replace(PARTS, (part) => (/^\\b$/i.test(part) ? part : '')))) return false;
  return expressionOf(rest, flags).test('');
}

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
    return isInEveryText(pattern, flags) ? IN_EVERY_TEXT : null;
  } catch (error) {
    return messageOf(error);
  }
}
