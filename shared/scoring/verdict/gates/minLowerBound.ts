import { JUDGED_CASES_MAX } from '../../../contracts/gates.ts';
import { casesToProve, provable, wilson } from '../confidence.ts';
import type { Gating } from '../gating.ts';
import type { StatusLetter } from '../kept.ts';
import { ofOptionalBar } from '../strictness.ts';
import { passRate, type RateVerdict, verdictOf } from '../verdict.ts';
import { type Gate, type GateAnswer, statusOf } from './gate.ts';

/**
 * The observed value is the interval's lower bound, which follows from what is stored anyway. A bound that these cases
 * prove by no outcome says nothing of the candidate: the gate is inconclusive.
 */
export const minLowerBound: Gate<readonly ['lower', StatusLetter, required: number]> = {
  kind: 'lower',

  results(gating, verdict) {
    const required = gating.settings.gates.min_lower_bound;
    if (required === undefined) return [];
    const holds = ({ pass_rate }: RateVerdict) => wilson(pass_rate, gating.effectiveCases).lower >= required;
    if (holds(verdict)) return [['lower', 'p', required]];
    const mayHold = provable(gating.effectiveCases) < required || holds(withErroredPassed(gating, verdict));
    return [['lower', mayHold ? 'i' : 'f', required]];
  },

  answer: ([, letter, required], { lower, effectiveCases }) => ({
    gate: 'min_lower_bound',
    ...statusOf(letter),
    observed: lower,
    required,
    ...(letter === 'i' && provable(effectiveCases) < required && tooFewCases(required, effectiveCases)),
  }),

  shares({ heaviestFirst, settings: { gates, passThreshold }, effectiveCases }) {
    const required = gates.min_lower_bound;
    if (required === undefined) return [];
    return [
      {
        cases: heaviestFirst,
        minJudged: 0,
        holds: (passed) => {
          const rate = passRate(passed.value, passThreshold, passed.reaches(passThreshold));
          return wilson(rate, effectiveCases).lower >= required;
        },
      },
    ];
  },

  effect: (before, after) => ofOptionalBar(before.min_lower_bound, after.min_lower_bound),

  demands: (before, after) => [
    { movesWithWeights: before.min_lower_bound !== undefined && after.min_lower_bound !== undefined },
  ],
};

function withErroredPassed({ cases, settings }: Gating, verdict: RateVerdict): RateVerdict {
  if (verdict.errored_cases === 0) return verdict;
  const passed = cases.map((one) => (one.errored ? { ...one, errored: false, passed: true } : one));
  return verdictOf(passed, settings.passThreshold);
}

function tooFewCases(bound: number, cases: number): Pick<GateAnswer, 'reason'> {
  const most = Math.floor(provable(cases) * 1_000) / 1_000;
  const needed = casesToProve(bound, JUDGED_CASES_MAX);
  const takes =
    needed === undefined
      ? 'no suite has enough cases for it'
      : `it takes ${needed} ${Number.isInteger(cases) ? 'cases' : 'of equal weight'}`;
  return { reason: `${worthOf(cases)} at most ${most}, even if all pass: ${takes}` };
}

function worthOf(cases: number): string {
  if (!Number.isInteger(cases)) return `cases whose weights make them worth ${cases.toFixed(1)} prove`;
  return cases === 1 ? '1 case proves' : `${cases} cases prove`;
}
