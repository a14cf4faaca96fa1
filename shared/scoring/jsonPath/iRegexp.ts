import { messageOf } from '../kit/guard.ts';
import { PATTERN_LENGTH_MAX } from '../kit/limits.ts';
import { quote } from '../kit/text.ts';
import { PathError } from './syntax.ts';

const CATEGORY = String.raw`\\[pP]\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)\}`;
const ESCAPE = String.raw`\\[()*+\-.?[\\\]^nrt{|}]`;
const CLASS_CHARACTER = String.raw`(?:[^\-[\\\]]|${ESCAPE})`;
const RANGE = `${CLASS_CHARACTER}(?:-${CLASS_CHARACTER})?`;
const CLASS = String.raw`\[(?:\^|(?!\^))(?:-|${RANGE}|${CATEGORY})(?:${RANGE}|${CATEGORY})*-?\]`;
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;
/** By RFC 9485, but for `^` and `$`: these stand for themselves there, and for anchors in JavaScript. */
const PART = new RegExp([String.raw`[^*+?[\\\]{}^$]`, CATEGORY, ESCAPE, CLASS].join('|'), 'uy');

/**
 * The expression that an I-Regexp (RFC 9485) stands for. Others are a `PathError`: JavaScript gives some of them, such as
 * anchors, another meaning, so that they would never match.
 */
export function toRegExp(pattern: string, { isComplete }: { isComplete: boolean }): RegExp {
  if (pattern.length > PATTERN_LENGTH_MAX)
    throw new PathError(`must not hold a pattern longer than ${PATTERN_LENGTH_MAX} characters`);
  const source = translated(pattern);
  try {
    const expression = new RegExp(isComplete ? `^(?:${source})$` : source, 'u');
    // V8 compiles when an expression is first used, and refuses some only then.
    expression.test('');
    return expression;
  } catch (error) {
    throw new PathError(`holds the pattern ${quote(pattern)}, which cannot be used: ${messageOf(error)}`);
  }
}

function translated(pattern: string): string {
  const tokens = tokensOf(pattern);
  let depth = 0;
  for (const token of tokens) {
    if (token === '(') depth++;
    if (token === ')' && --depth < 0) break;
  }
  if (depth !== 0) throw notIRegexp(pattern, 'its groups do not match');
  return tokens.map(inJavaScript).join('');
}

function tokensOf(pattern: string): string[] {
  const tokens: string[] = [];
  let isQuantifiable = false;
  for (let index = 0; index < pattern.length; ) {
    const quantifier: string | undefined = isQuantifiable ? matchAt(QUANTIFIER, pattern, index) : undefined;
    const token: string | undefined = quantifier ?? matchAt(PART, pattern, index);
    if (token === undefined) throw notIRegexp(pattern, `its character ${index + 1} does not fit`);
    tokens.push(token);
    isQuantifiable = quantifier === undefined && token !== '(' && token !== '|';
    index += token.length;
  }
  return tokens;
}

function matchAt(expression: RegExp, pattern: string, index: number): string | undefined {
  expression.lastIndex = index;
  return expression.exec(pattern)?.[0];
}

function inJavaScript(token: string): string {
  if (token === '.') return String.raw`[^\n\r]`;
  if (token === '(') return '(?:';
  return token === String.raw`\-` ? '-' : token;
}

const notIRegexp = (pattern: string, why: string): PathError =>
  new PathError(
    `holds the pattern ${quote(pattern)}, which is no I-Regexp (RFC 9485): ${why}. There are no anchors (^ and $), ` +
      'no \\d, \\w, \\s and \\b, and no groups that begin with (?. Write [0-9] for \\d and [$] for a $',
  );
