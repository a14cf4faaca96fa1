import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  completeOutput,
  differenceOf,
  isSame,
  outputDifference,
} from '../../../../../shared/domain/runs/results/difference.ts';
import { GONE, type ShownOutput } from '../../../../../shared/scoring/kit/shownOutputs.ts';
import '../../../../support/seed.ts';

/** Few, so that many are equal, or nearly so. */
const anyValue = fc.constantFrom<unknown>(
  null,
  0,
  1,
  'a',
  '',
  [],
  {},
  ['a'],
  ['a', 1],
  { a: 1 },
  { a: 1, b: 2 },
  { b: 2, a: 1 },
  { a: [] },
  [{ a: 1, b: 2 }],
  [{ a: 2, b: 2 }],
  [{ b: 2, a: 1 }],
  [{ a: 1 }, 'a'],
  [{ a: 1 }],
);
const names = fc.constantFrom('one', 'two', '__proto__', 'three');
const anyFields = fc.uniqueArray(fc.tuple(names, anyValue), { selector: ([name]) => name, maxLength: 4 });
const anySaid: fc.Arbitrary<ShownOutput> = fc
  .uniqueArray(fc.tuple(names, anyValue, fc.boolean()), { selector: ([name]) => name, maxLength: 4 })
  .map((fields) => new Map(fields.map(([name, value, byEntry]) => [name, { value, byEntry }])));

const SWAPPED: [string, unknown][] = [
  ['one', 1],
  ['two', 'a'],
];
const saidOf = (fields: readonly [string, unknown][]): ShownOutput =>
  new Map(fields.map(([name, value]) => [name, { value, byEntry: true }]));

const text = (value: unknown) => JSON.stringify(value);

test('values are the same where their JSON is, to the order of its members', () => {
  fc.assert(
    fc.property(anyValue, anyValue, (one, other) => {
      expect(isSame(one, other)).toBe(text(one) === text(other));
    }),
  );
});

test('an output is read as it was, to the letter, whatever is shown of it', () => {
  const unlost = (value: unknown) => {
    expect(value).not.toBe(GONE);
    return value;
  };
  fc.assert(
    fc.property(anyFields, anySaid, (fields, said) => {
      const output = Object.fromEntries(fields);
      const stored = JSON.parse(text(outputDifference(output, said)));
      expect(text(completeOutput(stored, said, unlost))).toBe(text(output));
    }),
    { numRuns: 500, examples: [[[...SWAPPED].reverse(), saidOf(SWAPPED)]] },
  );
});

test('a value shown as a whole is the same as a whole or not at all, and a list entry by entry only where it may be', () => {
  const [value, of] = [[{ a: 1, b: 2 }], [{ a: 2, b: 2 }]];
  const said = (byEntry: boolean) => new Map([['field', { value: of, byEntry }]]);
  expect(differenceOf(value, of)).toEqual({ is: value });
  expect(outputDifference({ field: value }, said(false))).toEqual({ is: { field: value } });
  expect(outputDifference({ field: value }, said(true))).toEqual({
    of: { field: { of: [{ of: { a: { is: 1 }, b: 1 } }] } },
  });
});
