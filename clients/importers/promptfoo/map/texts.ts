import { escaped } from '../../imports/escaped.ts';
import { commaSeparated } from './commaSeparated.ts';
import type { Assertion, Mapped, Mapping } from './types.ts';

const NO_TEXT: Mapped = { why: 'has no text to compare with' };
const EMPTY: Mapped = { why: 'holds an empty text, which every output has' };

/** Numbers are compared as texts. */
const plainText = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

function textsOf({ value }: Assertion): readonly string[] | undefined {
  const list = typeof value === 'string' ? commaSeparated(value) : value;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const areTexts = list.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return areTexts ? list.map(String) : undefined;
}

export const matching = (pattern: string, flags: string, shouldMatch: boolean): Mapped => ({
  scorer: {
    type: 'regex',
    config: { pattern, ...(flags === '' ? {} : { flags }), ...(shouldMatch ? {} : { should_match: false }) },
  },
});

interface Folding {
  readonly isFolded: boolean;
}

export const holding = (
  values: readonly string[],
  mode: 'all' | 'any' | 'none',
  { isFolded }: Folding,
): Mapped => ({
  scorer: {
    type: 'contains',
    config: { values, ...(mode === 'all' ? {} : { mode }), ...(isFolded ? { case_sensitive: false } : {}) },
  },
  differences: isFolded && values.some((value) => isFoldedOtherwise(value, mode)) ? [FOLDED] : [],
});

const FOLDED_OTHERWISE = /[İΣσς]|i\u0307|^\u0307/u;
/** There an `İ` holds an `i` and a dot, so that a text that ends in `i` is forbidden before the dot, too. */
const isFoldedOtherwise = (value: string, mode: 'all' | 'any' | 'none'): boolean =>
  FOLDED_OTHERWISE.test(value) || (mode === 'none' && /i$/i.test(value));
const FOLDED = 'İ and the forms of σ are compared in another way';

/** `contains` and `icontains`. */
export const containsOne =
  (folding: Folding): Mapping =>
  ({ value, isNegated }) => {
    const text = plainText(value);
    return text === undefined ? NO_TEXT : holding([text], isNegated ? 'none' : 'all', folding);
  };

/** `contains-any` and `icontains-any`. */
export const any =
  (folding: Folding): Mapping =>
  (assertion) => {
    const texts = textsOf(assertion);
    if (texts === undefined) return NO_TEXT;
    return texts.includes('') ? EMPTY : holding(texts, assertion.isNegated ? 'none' : 'any', folding);
  };

/** `contains-all` and `icontains-all`. */
export const all =
  (folding: Folding): Mapping =>
  (assertion) => {
    const texts = textsOf(assertion)?.filter((text) => text !== '');
    if (texts === undefined) return NO_TEXT;
    if (texts.length === 0) return EMPTY;
    if (!assertion.isNegated) return holding(texts, 'all', folding);
    return texts.length === 1 ? holding(texts, 'none', folding) : notAll(texts, folding);
  };

/** One of them may be missing, which `contains` has no mode for. */
function notAll(texts: readonly string[], { isFolded }: Folding): Mapped {
  if (isFolded && texts.some((text) => /[^\x00-\x7f]/.test(text))) {
    return { why: 'asks for letters beyond a to z in any case, which a pattern cannot' };
  }
  const pattern = `^${texts.map((text) => `(?=[^]*?${escaped(text)})`).join('')}`;
  const differences = isFolded ? ['the Kelvin sign is not taken for a k, nor İ for an i'] : [];
  return { ...matching(pattern, isFolded ? 'i' : '', false), differences };
}

export const equals: Mapping = ({ value, isNegated, normalizeUnicode }) => {
  if (normalizeUnicode) return { why: 'asks for normalizeUnicode' };
  if (value === undefined || value === null) return NO_TEXT;
  const isObject = typeof value === 'object';
  if (!isNegated) {
    return { scorer: { type: 'exact_match', config: {} }, expected: isObject ? value : String(value) };
  }
  if (isObject) return { why: 'forbids one JSON value' };
  return matching(`^${escaped(String(value))}$`, '', false);
};

export const startsWith: Mapping = ({ value, isNegated }) =>
  typeof value === 'string' && value !== '' ? matching(`^${escaped(value)}`, '', !isNegated) : NO_TEXT;

export const endsWith: Mapping = ({ value, isNegated }) =>
  typeof value === 'string' && value !== '' ? matching(`${escaped(value)}$`, '', !isNegated) : NO_TEXT;

export const regex: Mapping = ({ value, isNegated }) =>
  typeof value === 'string' && value !== '' ? matching(value, '', !isNegated) : { why: 'has no pattern' };
