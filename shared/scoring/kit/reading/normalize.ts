/**
 * How much of a text's form `normalize` leaves: `lines` keeps line breaks, `line` takes any white space for one blank,
 * and `bare` has none at the edges.
 */
export type NormalForm = 'lines' | 'line' | 'bare';

/** What is not found in most texts of one line, and may be normalized. */
const UNUSUAL = /[^ -~]| {2}|^ | $/;

/**
 * A text as people read it: what they cannot see is left out, and characters that look alike to them are one. By Unicode's
 * NFKC, and beyond it for quotation marks, dashes and blanks, which NFKC keeps apart.
 */
export function normalized(text: string, form: NormalForm): string {
  if (!UNUSUAL.test(text)) return text;
  const composed = withPlainQuotes(inNfkc(withPlainQuotes(text.replace(INVISIBLE, ''))));
  const lines = composed.replace(DASHES, '-').replace(LINE_BREAKS, '\n').replace(BLANKS, ' ');
  if (form === 'lines') return lines;
  const line = lines.replace(/\s+/g, ' ');
  return form === 'line' ? line : line.trim();
}

/** The same of every text in a JSON value but names. */
export function normalizedTexts(value: unknown, form: NormalForm): unknown {
  if (typeof value === 'string') return normalized(value, form);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => normalizedTexts(item, form));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, normalizedTexts(item, form)]));
}

/** Whether nothing of a text is left once it is normalized. */
export const isInvisible = (text: string): boolean => text.replace(INVISIBLE, '') === '';

/** Zero-width characters, joiners, bidirectional marks, fillers, variation selectors, tags; controls but white space. */
const INVISIBLE = /(?![\t\n\v\f\r\u0085])[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB]/gu;
const SINGLE_QUOTES =
  /[\u00b4\u02b9\u02bb-\u02bd\u02c8\u055a\u05f3\u1fbd\u1fbf\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\ua78b\ua78c\uff07]/g;
const DOUBLE_QUOTES =
  /[\u00ab\u00bb\u02ba\u02dd\u02ee\u05f4\u201c-\u201f\u2033\u2036\u275d\u275e\u2e42\u301d-\u301f\uff02]/g;
/** With the minus signs and the bullet that is a hyphen. */
const DASHES = /[\p{Pd}\u02d7\u2043\u2212\u2796]/gu;
const LINE_BREAKS = /\r\n|[\v\f\r\u0085\u2028\u2029]/g;
/** With the blank of Braille, and that of notes. */
const BLANKS = /(?:(?!\n)[\s\u2800\u{1d159}])+/gu;

/** Before NFKC, which makes two of some of them, and after it, which makes some of letters. */
function withPlainQuotes(text: string): string {
  return text.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"');
}

/** Marks on a letter, and what NFKC makes such. */
const MANY_MARKS = /[\p{M}\uff9e\uff9f]{31}/u;
const PART = /[^\p{M}\uff9e\uff9f]*[\p{M}\uff9e\uff9f]{0,30}/gu;

/** Sorting the marks of one letter takes time by the square of their number: a letter has 30, as in Unicode's streams. */
function inNfkc(text: string): string {
  return MANY_MARKS.test(text)
    ? text.replace(PART, (part) => part.normalize('NFKC'))
    : text.normalize('NFKC');
}
