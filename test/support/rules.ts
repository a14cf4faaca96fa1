/** Valid or invalid values of a kind of field, with titles: rows for `test.each`. */
type Row = readonly [title: string, value: unknown];

export const BAD_NAMES: readonly Row[] = [
  ['null', null],
  ['a number', 5],
  ['an object', {}],
  ['empty', ''],
  ['blank', ' \t\n '],
  ['of 201 characters', 'n'.repeat(201)],
  ['with a control character', 'a\u0000b'],
  ['with a line break', 'a\nb'],
];

export const GOOD_NAMES: readonly Row[] = [
  ['of one character', 'n'],
  ['of 200 characters', 'n'.repeat(200)],
  ['of emoji', '👩‍👩‍👧 🇪🇺 🎉'],
  ['right to left, with its marks', 'شركة \u200fשלום'],
  ['of combining characters, not normalised', 'e\u0301 \u00e9 ﬁ'],
  ['of markup and quotes', '<b>"x"</b> \'; -- $y'],
];

export const BAD_SLUGS: readonly Row[] = [
  ['null', null],
  ['a number', 5],
  ['empty', ''],
  ['with a blank', 'a b'],
  ['with upper case', 'Upper'],
  ['with a slash', 'a/b'],
  ['with an accent', 'é'],
  ['beginning with a dash', '-a'],
  ['with a line break at the end', 'a\n'],
  ['of 101 characters', 's'.repeat(101)],
];

export const GOOD_SLUGS: readonly Row[] = [
  ['of one character', 'a'],
  ['beginning with a digit', '0-start'],
  ['with underscore and dashes', 'a_b--c-'],
  ['of 100 characters', 's'.repeat(100)],
];

export const BAD_DESCRIPTIONS: readonly Row[] = [
  ['of 2,001 characters', 'd'.repeat(2_001)],
  ['a number', 5],
];

export const GOOD_DESCRIPTIONS: readonly Row[] = [
  ['null', null],
  ['empty', ''],
  ['of 2,000 characters', 'd'.repeat(2_000)],
  ['with line breaks, emoji and a NUL', 'one\r\n\ttwo 🎉\u0000'],
];

/** Thresholds of any kind. */
export const BAD_SHARES: readonly Row[] = [
  ['below 0', -0.01],
  ['above 1', 1.01],
  ['a text', '0.5'],
  ['a boolean', true],
  ['an array', [0.5]],
];

export const GOOD_SHARES: readonly Row[] = [
  ['0', 0],
  ['1', 1],
  ['a long fraction', 0.30000000000000004],
];

export const BAD_PAGES: readonly (readonly [query: string, path: string])[] = [
  ['page=0', 'page'],
  ['page=1e2', 'page'],
  ['page=abc', 'page'],
  ['page=٣', 'page'],
  ['page=99999999999999999999', 'page'],
  ['page=1&page=2', 'page'],
  ['pageSize=0', 'pageSize'],
  ['pageSize=101', 'pageSize'],
  ['pageSize=20&pageSize=20', 'pageSize'],
];

export const BAD_INPUTS: readonly Row[] = [
  ['null', null],
  ['an array', [{ question: 'Why?' }]],
  ['a text', '{"question":"Why?"}'],
  ['a number', 1],
  ['a boolean', true],
];

export const BAD_SCORER_IDS: readonly Row[] = [
  ['null', null],
  ['a number', 5],
  ['empty', ''],
  ['no UUID', 'scorer-1'],
  ['a UUID without dashes', '7d4448409dc041d1b2455ffdce74fad2'],
];

export const BAD_WEIGHTS: readonly Row[] = [
  ['null', null],
  ['negative', -0.01],
  ['a text', '1'],
  ['beyond a million', 1_000_001],
  ['a boolean', true],
];

export const GOOD_WEIGHTS: readonly Row[] = [
  ['0', 0],
  ['a fraction', 0.1],
  ['large', 1_000_000],
];

export const BAD_ACTIVITIES: readonly Row[] = [
  ['the text "true"', 'true'],
  ['1', 1],
  ['null', null],
];
