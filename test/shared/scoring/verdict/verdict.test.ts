import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reaches } from '../../../../shared/scoring/verdict/tolerance.ts';
import { verdictOf } from '../../../../shared/scoring/verdict/verdict.ts';
import type { WeightedResult } from '../../../../shared/scoring/verdict/weights.ts';
import { sized } from '../../../support/soak.ts';

const passing = (weight: number): WeightedResult => ({ passed: true, errored: false, weight });
const failing = (weight: number): WeightedResult => ({ passed: false, errored: false, weight });
const errored = (weight: number): WeightedResult => ({ passed: false, errored: true, weight });

const weights = fc.double({ min: 0, max: 1000, noNaN: true });
const result = fc
  .tuple(fc.constantFrom('passed', 'failed', 'errored'), weights)
  .map(([kind, weight]) =>
    kind === 'passed' ? passing(weight) : kind === 'failed' ? failing(weight) : errored(weight),
  );
const results = fc.array(result, { minLength: 1, maxLength: 40 });
const bar = fc.double({ min: 0, max: 1, noNaN: true });

/** Weights of very different magnitudes, and such as people write. */
const magnitudes = fc
  .tuple(fc.double({ min: 1, max: 2, maxExcluded: true, noNaN: true }), fc.integer({ min: -1074, max: 1023 }))
  .map(([fraction, exponent]) => fraction * 2 ** exponent);
const anyWeight = fc.oneof(
  magnitudes,
  fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
  fc.constantFrom(0, Number.MIN_VALUE, 1e-100, 1e-3, 1, 1e6, Number.MAX_VALUE),
  weights,
);
const weighed = fc.tuple(fc.nat(3), anyWeight).map(([kind, weight]) => {
  if (kind === 0) return failing(weight);
  return kind === 1 ? errored(weight) : passing(weight);
});
const bars = fc.oneof(
  bar,
  fc.integer({ min: 0, max: 12 }).map((twelfths) => twelfths / 12),
  fc.integer({ min: -100, max: 0 }).map((exponent) => 10 ** exponent),
);
/** Bars of all sizes, and such as differ from what the suite reaches by a few billionths of a thousandth. */
const suites = fc
  .tuple(fc.array(weighed, { minLength: 1, maxLength: 6 }), bars, fc.integer({ min: -30, max: 90 }))
  .map(([given, any, near]): [WeightedResult[], number] => {
    const close = verdictOf(given, any).pass_rate * (1 + near * 1e-12);
    return [given, near <= 30 && close >= 1e-100 && close <= 1 ? close : any];
  });

type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Exactly the number that a double is. */
function fractionOf(value: number): Fraction {
  let [numerator, denominator] = [value, 1n];
  for (; !Number.isInteger(numerator); numerator *= 2 ** 52) denominator *= 2n ** 52n;
  return [BigInt(numerator), denominator];
}

function sumOf(values: readonly number[]): Fraction {
  return values
    .map(fractionOf)
    .reduce(([n, d], [m, e]): Fraction => (d === e ? [n + m, d] : [n * e + m * d, d * e]), [0n, 1n]);
}

/** The rule: a bar of 1 needs everything; below it, a hundred-thousandth of a millionth of the bar may be missing. */
function exactlyClears(given: readonly WeightedResult[], threshold: number): boolean {
  const areZero = given.every(({ weight }) => weight === 0);
  const of = (some: readonly WeightedResult[]) => sumOf(some.map(({ weight }) => (areZero ? 1 : weight)));
  const [part, partOver] = of(given.filter(({ passed, errored }) => passed && !errored));
  const [whole, wholeOver] = of(given);
  const [barPart, barOver] = fractionOf(threshold);
  if (threshold === 1) return part * wholeOver === whole * partOver;
  return part * wholeOver * barOver * 10n ** 11n >= whole * partOver * barPart * (10n ** 11n - 1n);
}

describe('the verdict', () => {
  test('weights 0.1 + 0.2 + 0.3 of 1.0 reach a bar of 0.6', () => {
    const verdict = verdictOf([passing(0.1), passing(0.2), passing(0.3), failing(0.4)], 0.6);
    expect(verdict).toMatchObject({ status: 'cleared', pass_rate: 0.6 });
  });

  test('eight of ten equal cases clear a bar of 0.8, seven do not', () => {
    const of = (passed: number) =>
      Array.from({ length: 10 }, (_, at) => (at < passed ? passing(0.1) : failing(0.1)));
    expect(verdictOf(of(8), 0.8)).toMatchObject({
      status: 'cleared',
      pass_rate: 0.8,
      passed_cases: 8,
      failed_cases: 2,
    });
    expect(verdictOf(of(7), 0.8).status).toBe('aborted');
  });

  test('a case of weight 2 counts twice', () => {
    expect(verdictOf([passing(2), failing(1)], 0.6).pass_rate).toBeCloseTo(2 / 3, 9);
  });

  test('all-zero weights count as equal weights', () => {
    expect(verdictOf([passing(0), passing(0), failing(0)], 0.6)).toMatchObject({ status: 'cleared' });
    expect(verdictOf([failing(0)], 0.1)).toMatchObject({ status: 'aborted', pass_rate: 0 });
  });

  test('the tolerance forgives rounding and no difference that a customer could intend', () => {
    expect(reaches(0.7999999999999999, 0.8)).toBe(true);
    expect(reaches(0.799999, 0.8)).toBe(false);
    expect(reaches(1 - 1e-12, 1)).toBe(false);
  });

  test.each([
    ['a millionth of a thousandth', 1e6, 1e-3],
    ['the last digit of a double', 1, 2 ** -53],
    ['less than a double can hold beside the others', 1e6, 1e-100],
    ['the least number beside the greatest', Number.MAX_VALUE, Number.MIN_VALUE],
  ])('a failed case of %s keeps a bar of 1 from being reached', (_, passed, failed) => {
    const verdict = verdictOf([passing(passed), failing(failed)], 1);
    expect(verdict.status).toBe('aborted');
    expect(verdict.pass_rate).toBeLessThan(1);
    expect(verdictOf([passing(passed), errored(failed)], 1)).toMatchObject({
      status: 'aborted',
      dependsOnErrored: true,
    });
  });

  test.each([1e-9, 1e-12, 1e-100])('a bar of %d is not reached with nothing passed', (bar) => {
    expect(verdictOf([failing(1), failing(3)], bar)).toMatchObject({ status: 'aborted', pass_rate: 0 });
    expect(reaches(0, bar)).toBe(false);
    expect(verdictOf([passing(bar), failing(1 - bar)], bar).status).toBe('cleared');
  });

  test('sums beyond the greatest number are sums like others', () => {
    const half = [passing(Number.MAX_VALUE), failing(Number.MAX_VALUE)];
    expect(verdictOf(half, 0.5)).toMatchObject({ status: 'cleared', pass_rate: 0.5 });
    expect(verdictOf(half, 0.500001).status).toBe('aborted');
  });

  test('10,000 weights of 0.1 add up: 8,000 of them reach 0.8 and no more', () => {
    const of = (passed: number) =>
      Array.from({ length: 10_000 }, (_, at) => (at < passed ? passing(0.1) : failing(0.1)));
    expect(verdictOf(of(8_000), 0.8)).toMatchObject({ status: 'cleared', pass_rate: 0.8 });
    expect(verdictOf(of(7_999), 0.8)).toMatchObject({ status: 'aborted', pass_rate: 0.7999 });
  });

  test('a share that is no decimal reaches a bar written with twelve digits, not one with ten', () => {
    const twoOfThree = [passing(1), passing(1), failing(1)];
    expect(verdictOf(twoOfThree, 0.666666666667).status).toBe('cleared');
    expect(verdictOf(twoOfThree, 0.6666666667).status).toBe('aborted');
  });

  test('a run without cases or with a weight that is no weight is refused', () => {
    expect(() => verdictOf([], 0)).toThrow('at least one case');
    expect(() => verdictOf([passing(Number.NaN)], 0)).toThrow('weight');
    expect(() => verdictOf([passing(-1)], 0)).toThrow('weight');
  });

  test('is inconclusive exactly when errored cases alone keep the gate closed', () => {
    expect(verdictOf([passing(8), errored(2)], 0.9)).toMatchObject({
      status: 'aborted',
      dependsOnErrored: true,
      errored_cases: 1,
    });
    expect(verdictOf([passing(8), errored(1), failing(1)], 1)).toMatchObject({
      status: 'aborted',
      dependsOnErrored: false,
    });
    expect(verdictOf([passing(8), errored(2)], 0.8)).toMatchObject({
      status: 'cleared',
      dependsOnErrored: false,
    });
  });
});

describe('laws of the verdict', () => {
  test('of 200,000 suites each is cleared exactly if the rule in fractions clears it', () => {
    fc.assert(
      fc.property(suites, ([given, threshold]) => {
        if ((verdictOf(given, threshold).status === 'cleared') !== exactlyClears(given, threshold))
          throw new Error(`a bar of ${threshold}`);
      }),
      { numRuns: sized(10_000, 200_000) },
    );
  });

  test('the status is cleared exactly when pass_rate reaches pass_threshold', () => {
    fc.assert(
      fc.property(suites, ([given, threshold]) => {
        const { status, pass_rate: rate } = verdictOf(given, threshold);
        expect(status === 'cleared').toBe(rate >= threshold);
        expect(rate === 1).toBe(
          given.every((one) => one.weight === 0 || (one.passed && !one.errored)) &&
            given.some((one) => one.passed),
        );
      }),
    );
  });

  test('only the proportions of the weights count', () => {
    fc.assert(
      fc.property(results, fc.constantFrom(0.001, 0.1, 3, 7, 1e6), (before, factor) => {
        const after = before.map((one) => ({ ...one, weight: one.weight * factor }));
        fc.pre(before.some((one) => one.weight > 1e-9) || before.every((one) => one.weight === 0));
        expect(verdictOf(after, 1).pass_rate).toBeCloseTo(verdictOf(before, 1).pass_rate, 9);
      }),
    );
  });

  test('an errored case counts as failed and never helps to clear', () => {
    fc.assert(
      fc.property(results, bar, (given, threshold) => {
        const asFailed = given.map((one) => (one.errored ? failing(one.weight) : one));
        const [verdict, strict] = [verdictOf(given, threshold), verdictOf(asFailed, threshold)];
        expect(verdict).toMatchObject({ status: strict.status, pass_rate: strict.pass_rate });
        expect(verdict.passed_cases + verdict.failed_cases).toBe(verdict.total_cases);
        if (verdict.dependsOnErrored) expect(verdict.status).toBe('aborted');
      }),
    );
  });
});
