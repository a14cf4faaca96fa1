import type { Verdict } from './types.ts';

/** Floating-point sums miss by some 1e-16: weights 0.1 + 0.2 + 0.3 of 1.0 reach 0.6. */
const TOLERANCE = 1e-9;

export function reaches(value: number, bar: number): boolean {
  return value >= bar - TOLERANCE;
}

export interface WeightedResult {
  readonly passed: boolean;
  readonly errored: boolean;
  readonly weight: number;
}

export function verdictOf(results: readonly WeightedResult[], passThreshold: number): Verdict {
  if (results.length === 0) throw new Error('a verdict needs at least one case');
  const weightOf = weighing(results);
  let total = 0;
  let passed = 0;
  let errored = 0;
  let passedCases = 0;
  let erroredCases = 0;
  for (const result of results) {
    const weight = weightOf(result);
    total += weight;
    if (result.errored) {
      errored += weight;
      erroredCases++;
    } else if (result.passed) {
      passed += weight;
      passedCases++;
    }
  }
  const passRate = rate(passed, total);
  const cleared = reaches(passRate, passThreshold);
  return {
    status: cleared ? 'cleared' : 'aborted',
    pass_rate: passRate,
    total_cases: results.length,
    passed_cases: passedCases,
    failed_cases: results.length - passedCases,
    errored_cases: erroredCases,
    inconclusive: !cleared && erroredCases > 0 && reaches(rate(passed + errored, total), passThreshold),
  };
}

/** Weights are relative, so they are taken relative to the greatest: no sum of them can overflow. */
function weighing(results: readonly WeightedResult[]): (result: WeightedResult) => number {
  let greatest = 0;
  for (const { weight } of results) {
    if (!Number.isFinite(weight) || weight < 0)
      throw new Error(`a weight is finite and not negative, not ${weight}`);
    greatest = Math.max(greatest, weight);
  }
  return greatest === 0 ? () => 1 : (result) => result.weight / greatest;
}

/** Rounded far below the tolerance, so that 8 of 10 cases read 0.8 and not 0.7999999999999999. */
function rate(part: number, whole: number): number {
  return Math.min(1, Math.round((part / whole) * 1e12) / 1e12);
}
