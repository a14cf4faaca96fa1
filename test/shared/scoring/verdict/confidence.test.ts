import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { casesToProve, effectiveCases, wilson } from '../../../../shared/scoring/verdict/confidence.ts';

test.each([
  [4, 4, 0.510109, 1],
  [25, 25, 0.866808, 1],
  [93, 100, 0.862505, 0.965681],
])('%d of %d equal cases prove a rate from %d to %d', (passed, cases, lower, upper) => {
  const interval = wilson(passed / cases, effectiveCases(Array(cases).fill(0.1)));
  expect(Math.abs(interval.lower - lower)).toBeLessThan(1e-6);
  expect(Math.abs(interval.upper - upper)).toBeLessThan(1e-6);
});

test('weights 10, 1, 1, 1 are as good as 1.6408 equal cases', () => {
  const cases = effectiveCases([10, 1, 1, 1]);
  expect(cases).toBeCloseTo(1.6408, 4);
  const { lower, upper } = wilson(11 / 13, cases);
  expect(Math.abs(lower - 0.216239)).toBeLessThan(1e-6);
  expect(Math.abs(upper - 0.990962)).toBeLessThan(1e-6);
});

test.each([
  [35, 0.9],
  [73, 0.95],
  [381, 0.99],
])('%d passed cases prove %d, and one less does not', (cases, bound) => {
  expect(wilson(1, cases).lower).toBeGreaterThanOrEqual(bound);
  expect(wilson(1, cases - 1).lower).toBeLessThan(bound);
  expect(casesToProve(bound, 10_000)).toBe(cases);
  expect(casesToProve(bound, cases - 1)).toBeUndefined();
});

test('the number of cases that it takes proves a bound, and one less does not, whatever the bound', () => {
  expect(casesToProve(1, 10_000)).toBeUndefined();
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 0.9996, noNaN: true }), (bound) => {
      const cases = casesToProve(bound, 10_000) ?? Number.NaN;
      expect(wilson(1, cases).lower).toBeGreaterThanOrEqual(bound);
      if (cases > 1) expect(wilson(1, cases - 1).lower).toBeLessThan(bound);
    }),
  );
});

test.each([
  ['all zero', [0, 0, 0], 3],
  ['beyond what sums hold', [Number.MAX_VALUE, Number.MAX_VALUE], 2],
  ['the least there are', [Number.MIN_VALUE, Number.MIN_VALUE], 2],
  ['one that counts', [1, 0, 0], 1],
])('weights that are %s have an effective number', (_, weights, cases) => {
  expect(effectiveCases(weights)).toBe(cases);
});

describe('laws of the interval', () => {
  const rates = fc.double({ min: 0, max: 1, noNaN: true });
  const counts = fc.double({ min: 1, max: 10_000, noNaN: true });

  test('it holds the rate, lies in 0 to 1, and is that of the quadratic equation', () => {
    fc.assert(
      fc.property(rates, counts, (rate, cases) => {
        const { lower, upper } = wilson(rate, cases);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1);
        expect(lower).toBeLessThanOrEqual(rate + 1e-12);
        expect(upper).toBeGreaterThanOrEqual(rate - 1e-12);
        for (const bound of [lower, upper]) {
          expect((rate - bound) ** 2 * cases).toBeCloseTo(1.959964 ** 2 * bound * (1 - bound), 6);
        }
      }),
    );
  });

  test('a case more that passed never lowers the bound', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), (passed, failed) => {
        const cases = passed + failed + 1;
        const [before, after] = [wilson(passed / cases, cases), wilson((passed + 1) / cases, cases)];
        expect(after.lower).toBeGreaterThanOrEqual(before.lower);
      }),
    );
  });

  test('the effective number is between 1 and the number of cases, whatever the unit of weights', () => {
    const weights = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(weights, fc.constantFrom(1, 2 ** 20, 2 ** -20), (given, factor) => {
        const cases = effectiveCases(given);
        expect(cases).toBeGreaterThanOrEqual(1);
        expect(cases).toBeLessThanOrEqual(given.length);
        fc.pre(given.every((weight) => weight === 0 || weight > 1e-200));
        expect(effectiveCases(given.map((weight) => weight * factor))).toBe(cases);
      }),
    );
  });
});
