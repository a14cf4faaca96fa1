import { expect, test } from '@jest/globals';
import { kappaOf, lowerOf } from '../../../../shared/scoring/judging/agreement.ts';

test.each([
  [10, 10, 0.722467],
  [15, 15, 0.796117],
  [16, 16, 0.806392],
  [20, 20, 0.838875],
  [46, 50, 0.811618],
  [45, 50, 0.786398],
  [13, 17, 0.527382],
  [0, 5, 0],
  [0, 0, 0],
])('%d of %d prove %d', (hits, sent, lower) => {
  expect(lowerOf(hits, sent)).toBeCloseTo(lower, 6);
});

test('of 30 wrong answers 26 prove 0.7, and 25 do not', () => {
  expect([lowerOf(26, 30) >= 0.7, lowerOf(25, 30) >= 0.7]).toEqual([true, false]);
});

test.each([
  [40, 4, 3, 13, 0.707521],
  [45, 5, 0, 0, 0],
  [48, 15, 2, 5, 0.26087],
  [25, 5, 5, 25, 0.666667],
  [0, 0, 0, 0, null],
  [5, 0, 0, 0, null],
])(
  'κ of %d passed rightly, %d wrongly, %d failed wrongly and %d rightly',
  (accepted, missed, rejected, caught, kappa) => {
    const found = kappaOf({ accepted, missed, rejected, caught });
    expect(found === null ? null : Number(found.toFixed(6))).toBe(kappa);
  },
);
