import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  restAt,
  startOfDifference,
  textDifference,
} from '../../../../shared/scoring/compare/textDifference.ts';
import { clip } from '../../../../shared/scoring/kit/text.ts';

const FILLED = 'one two three four five six seven ';

test.each([
  [
    'You get 15% off',
    'You get 10% off',
    'from character 10 on: "You get 15% off" instead of "You get 10% off"',
  ],
  [
    `${FILLED}15 off`,
    `${FILLED}10 off`,
    'from character 36 on: "…four five six seven 15 off" instead of "…four five six seven 10 off"',
  ],
  [
    `${FILLED}1,250.75`,
    `${FILLED}1,250.15`,
    'from character 41 on: "…five six seven 1,250.75" instead of "…five six seven 1,250.15"',
  ],
  ['100', '10', 'from character 3 on: "100" instead of "10"'],
  ['1', '15', 'from character 2 on: "1" instead of "15"'],
  ['15%', '15', 'from character 3 on: "15%" instead of "15"'],
  [
    'Sum\n15 of 20\nEnd',
    'Sum\n10 of 20\nEnd',
    'from character 6 on, in line 2: "15 of 20" instead of "10 of 20"',
  ],
  [
    `Sum\n${FILLED}15\nEnd`,
    `Sum\n${FILLED}10\nEnd`,
    'from character 40 on, in line 2: "…four five six seven 15" instead of "…four five six seven 10"',
  ],
  [`${'x'.repeat(70)}42`, `${'x'.repeat(70)}43`, 'from character 72 on: "…42" instead of "…43"'],
])('%j beside %j is quoted from the beginning of its word or line', (actual, wanted, said) => {
  expect(textDifference(actual, wanted)).toBe(`differs from expected ${said}`);
});

test('a text that goes on after a word, or ends there, is quoted from there on', () => {
  expect(textDifference('Paris', 'Paris, France')).toBe('ends after 5 characters, before ", France"');
  expect(textDifference('Paris, France', 'Paris')).toBe('goes on after expected with ", France"');
});

test.each([
  ['The price is 12345', 16, 'The price is …'],
  ['The price is 1.25 EUR', 16, 'The price is …'],
  ['Only 15% of all', 8, 'Only …'],
  ['The price is 12', 14, 'The price is …'],
  ['1'.repeat(40), 11, `${'1'.repeat(10)}…`],
])('%j is cut to %i characters without a part of a number', (text, length, shown) => {
  expect(clip(text, length)).toBe(shown);
});

test('quotations of two texts differ, are well-formed and are short, whatever the texts hold', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'019., \n%é😀'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 150,
  });
  fc.assert(
    fc.property(text, text, text, (same, one, other) => {
      const [actual, wanted] = [same + one, same + other];
      fc.pre(actual !== wanted);
      const at = startOfDifference(actual, wanted);
      for (const quoted of [restAt(actual, at), restAt(wanted, at)]) {
        expect(quoted).toMatch(/^".*"$/s);
        expect(quoted.isWellFormed()).toBe(true);
        expect(quoted.length).toBeLessThan(300);
      }
    }),
  );
});
