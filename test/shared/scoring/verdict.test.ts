import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reaches, verdictOf, type WeightedResult } from '../../../shared/scoring/verdict.ts';

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

  test('the tolerance forgives rounding and nothing that could be meant', () => {
    expect(reaches(0.7999999999999999, 0.8)).toBe(true);
    expect(reaches(0.799999, 0.8)).toBe(false);
  });

  test('a run without cases or with a weight that is no weight is refused', () => {
    expect(() => verdictOf([], 0)).toThrow('at least one case');
    expect(() => verdictOf([passing(Number.NaN)], 0)).toThrow('weight');
    expect(() => verdictOf([passing(-1)], 0)).toThrow('weight');
  });

  test('is inconclusive exactly when errored cases alone keep the gate closed', () => {
    expect(verdictOf([passing(8), errored(2)], 0.9)).toMatchObject({
      status: 'aborted',
      inconclusive: true,
      errored_cases: 1,
    });
    expect(verdictOf([passing(8), errored(1), failing(1)], 1)).toMatchObject({
      status: 'aborted',
      inconclusive: false,
    });
    expect(verdictOf([passing(8), errored(2)], 0.8)).toMatchObject({
      status: 'cleared',
      inconclusive: false,
    });
  });
});

describe('laws of the verdict', () => {
  test('the pass rate is a number from 0 to 1 whatever the weights', () => {
    const extreme = fc.constantFrom(0, Number.MIN_VALUE, 1e-300, 1, 1e300, Number.MAX_VALUE);
    const any = fc.array(fc.tuple(result, fc.oneof(weights, extreme)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(any, (pairs) => {
        const { pass_rate: rate } = verdictOf(
          pairs.map(([one, weight]) => ({ ...one, weight })),
          1,
        );
        expect(rate).toBeGreaterThanOrEqual(0);
        expect(rate).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('one more passing case never turns cleared into aborted', () => {
    fc.assert(
      fc.property(results, bar, fc.nat(), (before, threshold, pick) => {
        const at = pick % before.length;
        const after = before.map((one, index) => (index === at ? passing(one.weight) : one));
        expect(verdictOf(after, threshold).pass_rate).toBeGreaterThanOrEqual(
          verdictOf(before, threshold).pass_rate,
        );
        if (verdictOf(before, threshold).status === 'cleared')
          expect(verdictOf(after, threshold).status).toBe('cleared');
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

  test('the order of the cases does not count', () => {
    fc.assert(
      fc.property(results, (before) => {
        expect(verdictOf(before.toReversed(), 1).pass_rate).toBeCloseTo(verdictOf(before, 1).pass_rate, 9);
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
        if (verdict.inconclusive) expect(verdict.status).toBe('aborted');
      }),
    );
  });
});
