import { test } from '@jest/globals';
import type { ApiAnswer } from './api.ts';
import { expectInvalid, expectKept } from './expectations.ts';

/** Valid or invalid values of a kind of field, with titles: rows for `test.each`. */
type Row = readonly [title: string, value: unknown];

/** Values of a kind of field. */
interface Values {
  readonly bad: readonly Row[];
  readonly good?: readonly Row[];
}

/** A test for each value: the bad ones are refused by the name of their field, the good ones answered as they were sent. */
export function testFields(
  send: (fields: object) => Promise<ApiAnswer>,
  fields: Readonly<Record<string, Values>>,
): void {
  for (const [field, { bad, good = [] }] of Object.entries(fields)) {
    test.each(bad)(`refuses a ${field} that is %s`, async (_, value) => {
      expectInvalid(await send({ [field]: value }), field);
    });
    if (good.length === 0) continue;
    test.each(good)(`takes a ${field} that is %s`, async (_, value) => {
      expectKept(await send({ [field]: value }), { [field]: value });
    });
  }
}

export const NAMES = {
  bad: [
    ['null', null],
    ['a number', 5],
    ['an object', {}],
    ['empty', ''],
    ['blank', ' \t\n '],
    ['of 201 characters', 'n'.repeat(201)],
    ['with a control character', 'a\u0000b'],
    ['with a line break', 'a\nb'],
  ],
  good: [
    ['of one character', 'n'],
    ['of 200 characters', 'n'.repeat(200)],
    ['of emoji', '👩‍👩‍👧 🇪🇺 🎉'],
    ['right to left, with its marks', 'شركة \u200fשלום'],
    ['of combining characters, not normalised', 'e\u0301 \u00e9 ﬁ'],
    ['of markup and quotes', '<b>"x"</b> \'; -- $y'],
  ],
} satisfies Values;

export const SLUGS = {
  bad: [
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
  ],
  good: [
    ['of one character', 'a'],
    ['beginning with a digit', '0-start'],
    ['with underscore and dashes', 'a_b--c-'],
    ['of 100 characters', 's'.repeat(100)],
  ],
} satisfies Values;

export const DESCRIPTIONS = {
  bad: [
    ['of 2,001 characters', 'd'.repeat(2_001)],
    ['a number', 5],
  ],
  good: [
    ['null', null],
    ['empty', ''],
    ['of 2,000 characters', 'd'.repeat(2_000)],
    ['with line breaks, emoji and a NUL', 'one\r\n\ttwo 🎉\u0000'],
  ],
} satisfies Values;

/** Thresholds of the sides of a scorer, each of which may be left open. */
export const SIDE_SHARES = {
  bad: [
    ['below 0', -0.01],
    ['above 1', 1.01],
    ['a text', '0.5'],
    ['a boolean', true],
    ['an array', [0.5]],
  ],
  good: [
    ['null', null],
    ['0', 0],
    ['1', 1],
    ['a long fraction', 0.30000000000000004],
  ],
} satisfies Values;

/** Thresholds of which none is null. */
export const SHARES = {
  bad: [...SIDE_SHARES.bad, ['null', null]],
  good: SIDE_SHARES.good.slice(1),
} satisfies Values;

export const WEIGHTS = {
  bad: [
    ['null', null],
    ['negative', -0.01],
    ['a text', '1'],
    ['beyond a million', 1_000_001],
    ['a boolean', true],
  ],
  good: [
    ['0', 0],
    ['a fraction', 0.1],
    ['large', 1_000_000],
  ],
} satisfies Values;

export const SWITCHES = {
  bad: [
    ['the text "true"', 'true'],
    ['1', 1],
    ['null', null],
  ],
} satisfies Values;

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
