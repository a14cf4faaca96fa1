import type { Gating } from '../gating.ts';
import type { Compared } from '../relative/compared.ts';
import { MIN_COMPARABLE } from '../relative/comparison.ts';
import type { GateAnswer } from './gate.ts';

/** What gates have in common that compare a run with a baseline. */

export const NO_BASELINE = 'no baseline: accept a run with scope full';

/** The share of the weight that is compared, and the one that has to be; no more is asked for where it is enough. */
export function comparedShares(
  { asJudged: { comparable, coverage } }: Compared,
  { gates }: Gating['bar'],
): readonly [share: number, minShare: number] {
  if (comparable) return [1, 0];
  return [Math.floor(coverage * 1_000) / 1_000, gates.min_comparable ?? MIN_COMPARABLE];
}

export function notComparable(share: number, minShare: number): Pick<GateAnswer, 'reason'> {
  if (share >= minShare) return {};
  const [compared, needed] = [share, minShare].map((part) => Math.round(part * 1e4) / 100);
  return {
    reason: `not comparable: ${compared} % of the weight is compared, and it takes ${needed} %: accept a run of the suite as it is now, or run the gate again where cases ended in an error`,
  };
}
