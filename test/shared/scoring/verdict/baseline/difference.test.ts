import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparedRates, detectableDrop } from '../../../../../shared/scoring/verdict/baseline/difference.ts';
import '../../../../support/seed.ts';
import { pairs } from './model.ts';

const cases = (count: number, failing: number, passing: number) => [
  ...pairs(failing, 1, false),
  ...pairs(passing, 0, true),
  ...pairs(count - failing - passing, 1, true),
];

describe('the difference of both pass rates, with its interval', () => {
  test.each([
    [10, 4, 0, -0.4, -0.686167, 0.019501],
    [10, 3, 0, -0.3, -0.586714, 0.086714],
    [100, 8, 2, -0.06, -0.124401, 0.006754],
    [10, 0, 0, 0, -0.230984, 0.230984],
  ])('of %i cases, %i newly failing and %i newly passing', (count, failing, passing, ...wanted) => {
    const { difference, lower, upper } = comparedRates(cases(count, failing, passing), 1);
    expect(difference).toBe(wanted[0]);
    expect(lower).toBeCloseTo(wanted[1] ?? 0, 6);
    expect(upper).toBeCloseTo(wanted[2] ?? 0, 6);
  });

  test('is that of the weighted rates, of the baseline the mean of its runs, in any unit of weight', () => {
    const mixed = [...pairs(1, 3, false, 3), ...pairs(2, 2, true, 0.5), ...pairs(1, 0, false, 1)];
    const rates = comparedRates(mixed, 3);
    expect(rates).toMatchObject({ baseline: expect.closeTo((3 + 2 / 3) / 5, 11), run: 0.2 });
    expect(rates.difference).toBeCloseTo(0.2 - (3 + 2 / 3) / 5, 11);
    for (const factor of [1e-300, 4, 1e300]) {
      const scaled = mixed.map((one) => ({ ...one, weight: one.weight * factor }));
      expect(comparedRates(scaled, 3)).toEqual({
        baseline: expect.closeTo(rates.baseline, 11),
        run: expect.closeTo(rates.run, 11),
        difference: expect.closeTo(rates.difference, 11),
        lower: expect.closeTo(rates.lower, 11),
        upper: expect.closeTo(rates.upper, 11),
      });
    }
  });

  test('is mirrored where run and baseline are swapped, and lies in its interval', () => {
    const outcome = fc.record({ weight: fc.nat(3), passedRuns: fc.nat(1), passes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 20 }), (all) => {
        const [one, other] = [
          comparedRates(all, 1),
          comparedRates(
            all.map(({ weight, passedRuns, passes }) => ({
              weight,
              passedRuns: Number(passes),
              passes: passedRuns === 1,
            })),
            1,
          ),
        ];
        expect(other.difference).toBeCloseTo(-one.difference, 12);
        expect(other.lower).toBeCloseTo(-one.upper, 12);
        expect(other.run).toBe(one.baseline);
        for (const bound of [one.lower, one.upper]) expect(Math.abs(bound)).toBeLessThanOrEqual(1);
        expect(one.lower).toBeLessThanOrEqual(one.upper);
      }),
    );
  });

  test('of nothing shows nothing', () => {
    expect(comparedRates([], 1)).toEqual({ baseline: 0, run: 0, difference: 0, lower: -1, upper: 1 });
    expect(detectableDrop([], 1, { newlyFailing: 0, newlyPassing: 0 })).toBe(1);
  });
});

test.each([
  [100, 8, 2, 0.094],
  [500, 25, 25, 0.0422],
  [20, 0, 0, 0.3494],
])(
  'of %i cases, %i newly failing and %i newly passing, a drop of so much would be seen',
  (count, b, c, drop) => {
    const flips = { newlyFailing: b, newlyPassing: c };
    expect(Math.abs(detectableDrop(cases(count, b, c), 1, flips) - drop)).toBeLessThan(1e-4);
  },
);

test('more runs see smaller drops, and uneven weights only greater ones', () => {
  const flips = { newlyFailing: 4, newlyPassing: 4 };
  const [one, five] = [1, 5].map((runs) => detectableDrop(pairs(100, runs, true), runs, flips));
  expect(five).toBeLessThan(one ?? 0);
  const uneven = [...pairs(90, 1, true), ...pairs(10, 1, true, 10)];
  expect(detectableDrop(uneven, 1, flips)).toBeGreaterThan(one ?? 1);
});
