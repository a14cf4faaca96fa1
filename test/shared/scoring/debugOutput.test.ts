import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { show } from '../../../shared/scoring/debugOutput.ts';

const unit = fc.constantFrom(...['a', '"', '\\', '\n', '\u0000', '\u001f', '\u007f', 'é', '😀', '\ud800']);
/** Some two thirds of them are near the bound: each of a unit that takes one, two or six characters of JSON. */
const texts = fc.oneof(
  fc.tuple(unit, fc.integer({ min: 1_300, max: 8_300 })).map(([one, length]) => one.repeat(length)),
  fc
    .tuple(fc.string({ unit, maxLength: 30 }), fc.integer({ min: 4_000, max: 8_300 }))
    .map(([text, length]) => text.padStart(length, 'a')),
  fc.string({ unit, maxLength: 3_000 }),
);

test('a text is shown whole if its JSON has at most 8,192 characters', () => {
  const law = fc.property(texts, (text) => {
    const isWhole = JSON.stringify(text).length <= 8_192;
    expect(show(text)).toEqual({ value: isWhole ? text : expect.any(String), truncated: !isWhole });
  });
  fc.assert(law, { numRuns: 1_000 });
});
