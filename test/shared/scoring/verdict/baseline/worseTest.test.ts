import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type PairedOutcome, worseTest } from '../../../../../shared/scoring/verdict/baseline/worseTest.ts';
import '../../../../support/seed.ts';
import { sized } from '../../../../support/soak.ts';
import { enumerated, pairs } from './model.ts';

describe('the p-value of a run that is worse', () => {
  test.each([
    [3, 0, 0.0625, 0.125],
    [4, 0, 0.03125, 0.0625],
    [5, 0, 0.015625, 0.03125],
    [5, 1, 0.0625, 0.109375],
    [6, 1, 0.03515625, 0.0625],
    [8, 2, 0.03271484375, 0.0546875],
    [12, 4, 0.024520874, 0.03840637],
    [2, 2, 0.5, 0.6875],
  ])('with %i cases newly failing and %i newly passing is McNemar’s', (failing, passing, pValue, exact) => {
    const found = worseTest([...pairs(failing, 1, false), ...pairs(passing, 0, true)], 1);
    expect(found).toEqual({
      pValue: expect.closeTo(pValue, 8),
      pValueExact: expect.closeTo(exact, 8),
      isTooUneven: false,
      informativeCases: failing + passing,
    });
  });

  test.each<[string, PairedOutcome[], number, number, number]>([
    [
      'one failing of weight 10, two passing of 1',
      [...pairs(1, 1, false, 10), ...pairs(2, 0, true)],
      1,
      0.4375,
      0.5,
    ],
    [
      'failing 10, 10 and 1, passing 1',
      [...pairs(2, 1, false, 10), ...pairs(1, 1, false), ...pairs(1, 0, true)],
      1,
      0.125,
      0.1875,
    ],
    [
      'failing 3 and 3, passing 2, 2 and 2',
      [...pairs(2, 1, false, 3), ...pairs(3, 0, true, 2)],
      1,
      0.5,
      0.53125,
    ],
    [
      'three runs: four cases 3/3 fail, two 1/3 pass',
      [...pairs(4, 3, false), ...pairs(2, 1, true)],
      3,
      0.05322265625,
      0.091796875,
    ],
    ['five runs: three cases 5/5 fail', pairs(3, 5, false), 5, 0.00231481, 0.00462963],
  ])('is by weight and by all runs: %s', (_, cases, runs, pValue, exact) => {
    expect(worseTest(cases, runs)).toMatchObject({
      pValue: expect.closeTo(pValue, 8),
      pValueExact: expect.closeTo(exact, 8),
    });
  });

  test('is 1 where no case differs in any run, or those that do weigh nothing', () => {
    const none = { pValue: 1, pValueExact: 1, isTooUneven: false, informativeCases: 0 };
    expect(worseTest([...pairs(3, 2, true), ...pairs(3, 0, false)], 2)).toEqual(none);
    expect(worseTest([], 1)).toEqual(none);
    expect(worseTest([...pairs(2, 1, false, 0), ...pairs(1, 1, true)], 1)).toEqual(none);
  });
});

/** At most 12 cases that say something, of one to five runs. */
const drawn = (weight: fc.Arbitrary<number>, runsMax = 5, maxLength = 12) =>
  fc.integer({ min: 1, max: runsMax }).chain((runs) =>
    fc.record({
      runs: fc.constant(runs),
      cases: fc.array(
        fc.record({ weight, passedRuns: fc.integer({ min: 0, max: runs }), passes: fc.boolean() }),
        { minLength: 1, maxLength },
      ),
    }),
  );

const exactWeights = fc.constantFrom(
  fc.constant(1),
  fc.constant(0),
  fc.integer({ min: 0, max: 9 }),
  fc.constantFrom(0.1, 0.2, 0.3, 0.5, 1.25),
  fc.constantFrom(1e-9, 3e-9, 1_000e-9),
);
const anyExact = exactWeights.chain((weight) => drawn(weight));
const RUNS = { numRuns: sized(200, 3_000) };

test('the p-values are those of all outcomes counted out', () => {
  fc.assert(
    fc.property(anyExact, ({ cases, runs }) => {
      const { pValue, pValueExact } = worseTest(cases, runs);
      const counted = enumerated(cases, runs, 1e-9);
      expect(Math.abs(pValue - counted.pValue)).toBeLessThan(1e-12);
      expect(Math.abs((pValueExact ?? Number.NaN) - counted.pValueExact)).toBeLessThan(1e-12);
    }),
    RUNS,
  );
});

test('weights that have no grid in common, however much they differ, change no p-value', () => {
  const real = fc.double({ min: 0.1, max: 10, noNaN: true });
  const uneven = fc.constantFrom(1, 7, 1_000.5, 1e-3, 1e6, Math.PI, Math.PI * 1e5);
  fc.assert(
    fc.property(fc.oneof(drawn(real), drawn(uneven)), ({ cases, runs }) => {
      const { pValue, pValueExact, isTooUneven } = worseTest(cases, runs);
      const counted = enumerated(cases, runs, 1e-13);
      expect(isTooUneven).toBe(false);
      expect(Math.abs(pValue - counted.pValue)).toBeLessThan(1e-9);
      expect(Math.abs((pValueExact ?? Number.NaN) - counted.pValueExact)).toBeLessThan(1e-9);
    }),
    { numRuns: sized(100, 1_000) },
  );
});

describe('beside one case that weighs more than all others', () => {
  const heavy = pairs(1, 1, false, 1_000_000);

  test.each([1, 10, 300])('%i light ones that fail are seen', (count) => {
    const { pValue, isTooUneven } = worseTest([...heavy, ...pairs(count, 1, false)], 1);
    expect([pValue, isTooUneven]).toEqual([expect.closeTo(2 ** -(count + 2), 12), false]);
  });

  test('it is too uneven to say where the sums of the light ones are too many, or below what numbers tell apart', () => {
    const irrational = Array.from({ length: 60 }, (_, at) =>
      pairs(1, at % 2, at % 2 === 0, Math.sqrt(at + 2)),
    );
    expect(worseTest([...heavy, ...irrational.flat()], 1).isTooUneven).toBe(true);
    expect(worseTest([...heavy, ...pairs(20, 1, false, 1e-100)], 1).isTooUneven).toBe(true);
  });
});

test('with run and baseline swapped it is the rest to 1, where something differs', () => {
  fc.assert(
    fc.property(
      exactWeights.chain((weight) => drawn(weight, 1, 30)),
      ({ cases }) => {
        const swapped = cases.map(({ weight, passedRuns, passes }) => ({
          weight,
          passedRuns: Number(passes),
          passes: passedRuns === 1,
        }));
        const found = worseTest(cases, 1);
        fc.pre(found.informativeCases > 0);
        expect(worseTest(swapped, 1).pValue).toBeCloseTo(1 - found.pValue, 12);
      },
    ),
    RUNS,
  );
});

test('other units of weight and cases that all runs passed, or none, change nothing', () => {
  fc.assert(
    fc.property(anyExact, fc.constantFrom(2, 0.25, 1_024), fc.nat(5), ({ cases, runs }, factor, more) => {
      fc.pre(cases.some(({ weight }) => weight > 0));
      const found = worseTest(cases, runs);
      const scaled = cases.map((one) => ({ ...one, weight: one.weight * factor }));
      expect(worseTest(scaled, runs)).toEqual({
        pValue: expect.closeTo(found.pValue, 12),
        pValueExact: expect.closeTo(found.pValueExact ?? Number.NaN, 12),
        isTooUneven: false,
        informativeCases: found.informativeCases,
      });
      const concordant = [...pairs(more, runs, true, 3), ...pairs(more, 0, false, 0.7)];
      expect(worseTest([...concordant, ...cases], runs)).toEqual(found);
    }),
    RUNS,
  );
});

test('a case that fails in place of passing makes no p-value greater, unless nothing differs any more', () => {
  fc.assert(
    fc.property(anyExact, fc.nat(11), ({ cases, runs }, drawnPlace) => {
      const place = drawnPlace % cases.length;
      const [before, after] = [true, false].map((passes) =>
        worseTest(cases.toSpliced(place, 1, { ...(cases[place] as PairedOutcome), passes }), runs),
      );
      fc.pre((after?.informativeCases ?? 0) > 0);
      expect(after?.pValue).toBeLessThanOrEqual((before?.pValue ?? 0) + 1e-12);
      expect(after?.pValueExact).toBeLessThanOrEqual((before?.pValueExact ?? 0) + 1e-12);
    }),
    RUNS,
  );
});

describe('of more than 500 cases with weights that have no grid in common', () => {
  const weightAt = (index: number) => 1 + Math.sqrt(index);
  const mixed = (count: number, weightOf: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => ({
      weight: weightOf(index),
      passedRuns: index % 9 < 5 ? 1 : 0,
      passes: index % 9 >= 5,
    }));

  test('the p-value is approximated as closely as the choice between 500 and 501 shows', () => {
    const [added, approximated] = [500, 501].map((count) => worseTest(mixed(count, weightAt), 1));
    expect(added).toMatchObject({ informativeCases: 500, isTooUneven: false, pValueExact: null });
    expect(approximated).toMatchObject({ informativeCases: 501, isTooUneven: false, pValueExact: null });
    expect(Math.abs((added?.pValue ?? 0) - (approximated?.pValue ?? 1))).toBeLessThan(0.005);
  });

  test('one case that has more than a hundredth of the squares makes it too uneven to say', () => {
    const uneven = mixed(501, (index) => (index === 7 ? 300.5 : weightAt(index)));
    expect(worseTest(uneven, 1).isTooUneven).toBe(true);
  });
});
