import { comparedRates } from '../../shared/scoring/verdict/baseline/difference.ts';
import { type PairedOutcome, worseTest } from '../../shared/scoring/verdict/baseline/worseTest.ts';
import { wilson } from '../../shared/scoring/verdict/confidence.ts';
import { reaches, staysWithin } from '../../shared/scoring/verdict/tolerance.ts';

const ALPHA = 0.05;
const MIN_DROP = 0.02;
const FIXED_DROP = 0.05;

/** Whether the candidate is taken for worse than the baseline. */
export type Rule = (cases: readonly PairedOutcome[], runs: number) => boolean;

export const midP: Rule = (cases, runs) => staysWithin(worseTest(cases, runs).pValue, ALPHA);

/** As the gate `regression` has it. */
export const byDefault: Rule = (cases, runs) =>
  midP(cases, runs) && reaches(-comparedRates(cases, runs).difference, MIN_DROP);

export const anyNewlyFailing: Rule = (cases, runs) =>
  cases.some(({ passedRuns, passes }) => !passes && passedRuns > 0 && 2 * passedRuns >= runs);

export const fixedDrop: Rule = (cases, runs) => reaches(-comparedRates(cases, runs).difference, FIXED_DROP);

/** Newcombe's interval of the difference of two rates (his method 10), as if they were of different cases. */
export const unpaired: Rule = (cases, runs) => {
  const { baseline, run } = comparedRates(cases, runs);
  const [before, after] = [wilson(baseline, cases.length), wilson(run, cases.length)];
  return run - baseline + Math.hypot(after.upper - run, baseline - before.lower) < 0;
};
