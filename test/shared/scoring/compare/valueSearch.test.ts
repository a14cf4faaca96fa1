import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ValueSearch } from '../../../../shared/scoring/compare/valueSearch.ts';

/** Few letters, so that values overlap, hold and end one another; some beyond the first plane. */
const letters = fc.constantFrom('a', 'a', 'a', 'b', '\u0000', 'é', '\uffff', '😀', '😁');
const text = (maxLength: number) => fc.string({ unit: letters, maxLength });
const values = fc.array(
  text(8).filter((value) => value !== ''),
  { minLength: 1, maxLength: 30 },
);

describe('a search for many values in one pass', () => {
  test('finds what `includes` finds, and nothing else', () => {
    fc.assert(
      fc.property(values, text(60), (some, output) => {
        expect(new ValueSearch(some).findIn(output)).toEqual(some.map((value) => output.includes(value)));
      }),
      { numRuns: 5_000 },
    );
  });

  test('names at each place the longest value that ends there', () => {
    fc.assert(
      fc.property(values, text(40), (some, output) => {
        const ends: [number, number][] = [];
        new ValueSearch(some).findIn(output, (end, length) => ends.push([end, length]));
        const wanted = Array.from({ length: output.length }, (_, at): [number, number] => {
          const there = some.filter((value) => output.slice(0, at + 1).endsWith(value));
          return [at + 1, Math.max(0, ...there.map((value) => value.length))];
        });
        expect(ends).toEqual(wanted.filter(([, length]) => length > 0));
      }),
    );
  });
});
