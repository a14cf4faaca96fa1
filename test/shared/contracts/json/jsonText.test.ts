import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasLongNumber, someLongNumber } from '../../../../shared/contracts/json/jsonText.ts';

const ofNumbers = fc.string({ unit: fc.constantFrom(...'0129.eE+-'), maxLength: 40 });
const other = fc.string({ unit: fc.constantFrom(...'a/:"é😀\ud800 '), maxLength: 20 });
const texts = fc.array(fc.oneof(ofNumbers, other), { maxLength: 8 }).map((parts) => parts.join(''));

test('characters of numbers in a row are found as an expression finds them', () => {
  const law = fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, length) => {
    expect(hasLongNumber(text, length)).toBe(new RegExp(`[\\d.eE+-]{${length}}`).test(text));
  });
  fc.assert(law, { numRuns: 3_000 });
});

test('each row of characters of numbers is passed to the predicate as a whole, until it holds for one', () => {
  const law = fc.property(
    texts,
    fc.integer({ min: 1, max: 20 }),
    fc.string({ maxLength: 3 }),
    (text, length, part) => {
      const isSought = (row: string) => row.includes(part);
      const rows = (text.match(/[\d.eE+-]+/g) ?? []).filter((row) => row.length >= length);
      expect(someLongNumber(text, length, isSought)).toBe(rows.some(isSought));
    },
  );
  fc.assert(law, { numRuns: 3_000 });
});
