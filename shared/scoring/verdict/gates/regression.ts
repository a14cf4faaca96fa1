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
/** Why the test can't say: 1: too uneven, 2: too few. */
type Doubt = 0 | 1 | 2;
type Figures = readonly [pValue: number, difference: number, doubt: Doubt, ...Compares] | readonly [];

const TOO_UNEVEN =
  'one case weighs so much that the test is not exact enough: give weights fewer digits, or the case less weight';
const TOO_FEW =
  'the pass rate fell, and so few cases are compared that chance could fail them all: add cases, accept several runs, or set max_newly_failing';

/** Whether the run is worse than its baseline by more than chance, and by enough to matter. */
export const regression: Gate<readonly ['worse', StatusLetter, alpha: number, ...Figures]> = {
  kind: 'worse',
  isRelative: true,

  results({ settings, compared }) {
    const gate = settings.gates.regression;
    if (gate === undefined) return [];
    if (compared === undefined) return [['worse', 'i', gate.alpha]];
    const { rates, test } = compared.withErroredFailed;
    const figures = [test.pValue, rates.difference, doubtOf(gate, compared)] as const;
    const shares = comparedShares(compared, settings);
    return [['worse', letterOf(gate, compared), gate.alpha, ...figures, ...shares]];
  },

  answer([, letter, required, observed, difference = 0, doubt = 0, share = 1, minShare = 0, assumed = 0]) {
    const entry = { gate: 'regression', ...statusOf(letter), observed: observed ?? null, required };
    if (observed === undefined) return { ...entry, reason: NO_BASELINE };
    const uncompared = notComparable([share, minShare, assumed]);
    const why = [undefined, TOO_UNEVEN, TOO_FEW][doubt];
    const reasons = { ...uncompared, ...(why !== undefined && share >= minShare && { reason: why }) };
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
  if (!asJudged.comparable || doubtOf(gate, compared) !== 0) return 'i';
  if (isWorse(passed, gate)) return 'f';
  return isWorse(failed, gate) ? 'i' : 'p';
}

function doubtOf(
  gate: RegressionGate,
  { withErroredFailed: failed, withErroredPassed: passed }: Compared,
): Doubt {
  if ([failed, passed].some(({ test }) => test.isTooUneven)) return 1;
  const { rates, leastPValue } = failed;
  const hasFallen = rates.difference < 0 && reaches(-rates.difference, gate.min_drop);
  return hasFallen && !staysWithin(leastPValue, gate.alpha) ? 2 : 0;
}

const isWorse = ({ rates, test }: Comparison, { alpha, min_drop }: RegressionGate): boolean =>
  staysWithin(test.pValue, alpha) && reaches(-rates.difference, min_drop);

function effectOf(before: RegressionGate | undefined, after: RegressionGate | undefined) {
  if (before === undefined) return after === undefined ? 'same' : 'stricter';
  if (after === undefined) return 'weaker';
  return gravest([ofBar(before.alpha, after.alpha), ofBar(-before.min_drop, -after.min_drop)]);
}
