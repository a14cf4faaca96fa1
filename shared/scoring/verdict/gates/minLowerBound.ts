import { wilson } from '../confidence.ts';
import type { Gating } from '../gating.ts';
import type { StatusLetter } from '../kept.ts';
import { ofOptionalBar } from '../strictness.ts';
import { passRate, type RateVerdict, verdictOf } from '../verdict.ts';
import { type Gate, statusOf } from './gate.ts';

/** The observed value is the interval's lower bound, which follows from what is stored anyway. */
export const minLowerBound: Gate<readonly ['lower', StatusLetter, required: number]> = {
  kind: 'lower',

  results(gating, verdict) {
    const required = gating.bar.gates.min_lower_bound;
    if (required === undefined) return [];
    const holds = ({ pass_rate }: RateVerdict) => wilson(pass_rate, gating.effectiveCases).lower >= required;
    const status = holds(verdict) ? 'p' : holds(withErroredPassed(gating, verdict)) ? 'i' : 'f';
    return [['lower', status, required]];
  },

  answer: ([, letter, required], { lower }) => ({
    gate: 'min_lower_bound',
    ...statusOf(letter),
    ...{ observed: lower, required },
  }),

  shares({ heaviestFirst, bar: { gates, passThreshold }, effectiveCases }) {
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

function withErroredPassed({ cases, bar }: Gating, verdict: RateVerdict): RateVerdict {
  if (verdict.errored_cases === 0) return verdict;
  const passed = cases.map((one) => (one.errored ? { ...one, errored: false, passed: true } : one));
  return verdictOf(passed, bar.passThreshold);
}
