import type { Gates } from '../../../contracts/gates.ts';
import type { Compared } from '../baseline/compared.ts';
import type { Comparison } from '../baseline/comparison.ts';
import { MIN_COMPARABLE } from '../baseline/comparison.ts';
import type { StatusLetter } from '../kept.ts';
import { gravest, ofBar } from '../strictness.ts';
import { reaches, staysWithin } from '../tolerance.ts';
import { type Gate, statusOf } from './gate.ts';
import { type Compares, comparedShares, NO_BASELINE, notComparable } from './relative.ts';

type RegressionGate = NonNullable<Gates['regression']>;
type Figures = readonly [pValue: number, difference: number, isTooUneven: 0 | 1, ...Compares] | readonly [];

const TOO_UNEVEN =
  'one case weighs so much that the test is not exact enough: give weights fewer digits, or the case less weight';

/** Whether the run is worse than its baseline by more than chance, and by enough to matter. */
export const regression: Gate<readonly ['worse', StatusLetter, alpha: number, ...Figures]> = {
  kind: 'worse',
  isRelative: true,

  results({ bar, compared }) {
    const gate = bar.gates.regression;
    if (gate === undefined) return [];
    if (compared === undefined) return [['worse', 'i', gate.alpha]];
    const { rates, test } = compared.withErroredFailed;
    const figures = [test.pValue, rates.difference, test.isTooUneven ? 1 : 0] as const;
    const shares = comparedShares(compared, bar);
    return [['worse', letterOf(gate, compared), gate.alpha, ...figures, ...shares]];
  },

  answer([
    ,
    letter,
    required,
    observed,
    difference = 0,
    isTooUneven = 0,
    share = 1,
    minShare = 0,
    assumed = 0,
  ]) {
    const entry = { gate: 'regression', ...statusOf(letter), observed: observed ?? null, required };
    if (observed === undefined) return { ...entry, reason: NO_BASELINE };
    const uncompared = notComparable([share, minShare, assumed]);
    const reasons = { ...uncompared, ...(isTooUneven === 1 && share >= minShare && { reason: TOO_UNEVEN }) };
    return { ...entry, difference, ...(letter === 'i' && reasons) };
  },

  shares: () => [],

  /** With what both gates have in common that compare with a baseline. */
  effect(before, after) {
    const [least, other] = [before, after].map((gates) => gates.min_comparable ?? MIN_COMPARABLE);
    return gravest([ofBar(least ?? 0, other ?? 0), effectOf(before.regression, after.regression)]);
  },

  demands: () => [],
};

function letterOf(gate: RegressionGate, compared: Compared): StatusLetter {
  const { asJudged, withErroredFailed: failed, withErroredPassed: passed } = compared;
  const isUnsure = [failed, passed].some(({ test }) => test.isTooUneven);
  if (!asJudged.comparable || isUnsure) return 'i';
  if (isWorse(passed, gate)) return 'f';
  return isWorse(failed, gate) ? 'i' : 'p';
}

const isWorse = ({ rates, test }: Comparison, { alpha, min_drop }: RegressionGate): boolean =>
  staysWithin(test.pValue, alpha) && reaches(-rates.difference, min_drop);

function effectOf(before: RegressionGate | undefined, after: RegressionGate | undefined) {
  if (before === undefined) return after === undefined ? 'same' : 'stricter';
  if (after === undefined) return 'weaker';
  return gravest([ofBar(before.alpha, after.alpha), ofBar(-before.min_drop, -after.min_drop)]);
}
