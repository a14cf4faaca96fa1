import type { Compared } from '../baseline/compared.ts';
import { MIN_COMPARABLE } from '../baseline/comparison.ts';
import type { Gating } from '../gating.ts';
import type { GateAnswer } from './gate.ts';

/** What gates have in common that compare a run with a baseline. */

export const NO_BASELINE = 'no baseline: accept a run with scope full';

/**
 * The share of the weight that is compared, and the one that has to be; no more is asked for where it is enough. Then
 * how many cases passed, fail now, and cannot be compared.
 */
export type Compares = readonly [share: number, minShare: number, assumed: number];

export function comparedShares(compared: Compared, { gates }: Gating['settings']): Compares {
  const { comparable, coverage } = compared.asJudged;
  const assumed = compared.assumedFailing;
  if (comparable) return [1, 0, assumed];
  return [Math.floor(coverage * 1_000) / 1_000, gates.min_comparable ?? MIN_COMPARABLE, assumed];
}

/** Why nothing is certain. */
export function notComparable([share, minShare, assumed]: Compares): Pick<GateAnswer, 'reason'> {
  if (share >= minShare) return assumed > 0 ? { reason: failingUncompared(assumed) } : {};
  const [compared, needed] = [share, minShare].map((part) => Math.round(part * 1e4) / 100);
  return {
    reason: `not comparable: ${compared} % of the weight is compared, and it takes ${needed} %: accept a run of the suite as it is now, or run the gate again where cases ended in an error`,
  };
}

const failingUncompared = (count: number): string =>
  `${count === 1 ? '1 case fails' : `${count} cases fail`} that cannot be compared with the baseline, since what judges them has changed or they ended in an error there: mend them, or accept a run of the suite as it is now`;
