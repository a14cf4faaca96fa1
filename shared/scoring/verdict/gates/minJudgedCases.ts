import { ofBar } from '../strictness.ts';
import { countJudged, type Gate, statusOf, tooFewJudged } from './gate.ts';

/** Too little evidence is inconclusive, and never a failure. */
export const minJudgedCases: Gate<readonly ['judged', 'p' | 'i', observed: number, required: number]> = {
  kind: 'judged',

  results({ cases, settings }) {
    const required = settings.gates.min_judged_cases;
    if (required === undefined) return [];
    const judged = countJudged(cases);
    return [['judged', judged >= required ? 'p' : 'i', judged, required]];
  },

  answer: ([, letter, observed, required]) => ({
    gate: 'min_judged_cases',
    status: statusOf(letter).status,
    observed,
    required,
    ...tooFewJudged(observed, required),
  }),

  shares: ({ heaviestFirst, settings }) => [
    { cases: heaviestFirst, minJudged: settings.gates.min_judged_cases ?? 0 },
  ],

  effect: (before, after) => ofBar(before.min_judged_cases ?? 0, after.min_judged_cases ?? 0),

  demands: (before, after) => [
    { minJudged: Math.min(before.min_judged_cases ?? 0, after.min_judged_cases ?? 0) },
  ],
};
