import type { Verdict } from '../../contracts/runs.ts';
import { type WeightedResult, Weights } from './weights.ts';

export const NO_FIGURES = {
  pass_rate: 0,
  total_cases: 0,
  passed_cases: 0,
  failed_cases: 0,
  errored_cases: 0,
  inconclusive: false,
} as const satisfies Omit<Verdict, 'status'>;

/** By the pass rate alone. */
export interface RateVerdict extends Omit<Verdict, 'inconclusive'> {
  /** Aborted, and would be cleared had the errored cases passed. */
  readonly dependsOnErrored: boolean;
}

export function verdictOf(results: readonly WeightedResult[], passThreshold: number): RateVerdict {
  if (results.length === 0) throw new Error('a verdict needs at least one case');
  const weights = new Weights(results);
  const passed = weights.shareOf(isPassed);
  const cleared = passed.reaches(passThreshold);
  const [passedCases, erroredCases] = [countOf(results, isPassed), countOf(results, isErrored)];
  return {
    status: cleared ? 'cleared' : 'aborted',
    pass_rate: passRate(passed.value, passThreshold, cleared),
    total_cases: results.length,
    passed_cases: passedCases,
    failed_cases: results.length - passedCases,
    errored_cases: erroredCases,
    dependsOnErrored: !cleared && erroredCases > 0 && weights.shareOf(mayPass).reaches(passThreshold),
  };
}

const isErrored = ({ errored }: WeightedResult): boolean => errored;
const isPassed = ({ passed, errored }: WeightedResult): boolean => passed && !errored;
const mayPass = ({ passed, errored }: WeightedResult): boolean => passed || errored;

function countOf(results: readonly WeightedResult[], counts: (result: WeightedResult) => boolean): number {
  let count = 0;
  for (const result of results) if (counts(result)) count++;
  return count;
}

/**
 * Rounded, so that 8 of 10 cases give 0.8 and not 0.7999999999999999. Rounding never crosses the threshold, and gives 1
 * only if all cases passed, so that `cleared` always equals `pass_rate >= pass_threshold`.
 */
export function passRate(share: number, bar: number, cleared: boolean): number {
  const rounded = Math.round(share * 1e12) / 1e12;
  const isAsTrue = (rounded < 1 || share === 1) && rounded >= bar === cleared;
  if (isAsTrue) return rounded;
  return cleared ? Math.max(share, bar) : share;
}
