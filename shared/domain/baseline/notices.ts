import type { Baseline, BaselineNotice } from '../../contracts/baseline/baselines.ts';
import type { Gates } from '../../contracts/gates.ts';
import { comparesRuns } from '../../scoring/verdict/gates/comparesRuns.ts';

/** With fewer runs in all nothing is said of how they were picked. */
const RUNS_MIN = 5;

/** Rounded, so that equal rates have themselves as mean. */
export const mean = (rates: readonly number[]): number =>
  Math.round((rates.reduce((sum, rate) => sum + rate, 0) / rates.length) * 1e12) / 1e12;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2;
}

interface Rates {
  /** Of the accepted runs. */
  readonly accepted: readonly number[];
  /** Of the suite's other newest runs by the same bar and of the same kind. */
  readonly otherRates: readonly number[];
  /** Of the baseline that is replaced. */
  readonly before: number | undefined;
  /** How many of its cases ended in an error. */
  readonly errored: number;
  /** How many of its runs have the outputs of another one. */
  readonly copies: number;
}

/** What the one who accepts should know. */
export function noticesOf({ accepted, otherRates, before, errored, copies }: Rates): BaselineNotice[] {
  const rate = mean(accepted);
  const notices: BaselineNotice[] = [];
  if (before !== undefined && rate < before)
    notices.push({
      code: 'BASELINE_LOW',
      message: `The pass rate of the baseline is ${shown(rate)}, below the ${shown(before)} of the one before it.`,
    });
  if (areOptimistic(accepted, otherRates))
    notices.push({
      code: 'BASELINE_OPTIMISTIC',
      message: `None of the ${otherRates.length} other runs by the same bar passed more: a baseline of the best runs makes later runs look worse than they are. Accept what was released, or its last runs, none picked.`,
    });
  if (errored > 0)
    notices.push({
      code: 'BASELINE_UNJUDGED',
      message: `${errored} of the baseline's cases ended in an error, and none of them is compared: accept runs without errors.`,
    });
  if (copies > 0)
    notices.push({
      code: 'BASELINE_COPIES',
      message: `${copies} of the runs have the outputs of another one: such runs count once, since copies are no evidence.`,
    });
  return notices;
}

function areOptimistic(accepted: readonly number[], otherRates: readonly number[]): boolean {
  const all = [...accepted, ...otherRates];
  if (all.length < RUNS_MIN || otherRates.length === 0) return false;
  const isBest = Math.max(...otherRates) <= Math.min(...accepted);
  return isBest && mean(accepted) > median(all);
}

const shown = (rate: number): string => `${Math.round(rate * 10_000) / 100} %`;

const UNUSED: BaselineNotice = {
  code: 'BASELINE_UNUSED',
  message:
    'No gate of the suite compares runs with the baseline: it holds nothing up. Set the gate max_newly_failing or regression.',
};

/** With what follows from the suite as it is now. */
export const withUse = (baseline: Baseline, gates: Gates): Baseline =>
  comparesRuns(gates) ? baseline : { ...baseline, notices: [...baseline.notices, UNUSED] };
