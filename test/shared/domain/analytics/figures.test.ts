import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { averagePassRate, figuresOf, NO_RUNS, plus } from '../../../../shared/domain/analytics/figures.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });

test('an average is that of the rates, within a billionth, between 0 and 1, in whatever order runs end', () => {
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 200 }), (rates) => {
      const total = (of: readonly number[]) =>
        of.map((pass_rate) => figuresOf({ status: 'aborted', pass_rate })).reduce(plus, NO_RUNS);
      const average = averagePassRate(total(rates));
      expect(average).toBeGreaterThanOrEqual(0);
      expect(average).toBeLessThanOrEqual(1);
      expect(Math.abs(average - rates.reduce((a, b) => a + b, 0) / rates.length)).toBeLessThanOrEqual(
        1.01e-9,
      );
      expect(total(rates.toReversed())).toEqual(total(rates));
    }),
  );
});

test.each([
  [[1], 1],
  [[0], 0],
  [[1, 0], 0.5],
  [[0.1, 0.2], 0.15],
  [[2 / 3], 0.666666667],
  [[1, 0, 0], 0.333333333],
])('the average of %j is %d', (rates, average) => {
  const figures = rates.map((pass_rate) => figuresOf({ status: 'cleared', pass_rate })).reduce(plus, NO_RUNS);
  expect(averagePassRate(figures)).toBe(average);
});
