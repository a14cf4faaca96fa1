import type { Gating } from '../gating.ts';
import { gravest, ofBar, ofOptionalBar } from '../strictness.ts';
import { type Gate, statusOf } from './gate.ts';

type JudgesResult = readonly [
  'judges',
  'p' | 'i',
  required: number,
  observed: number,
  ...(readonly [reason: string] | readonly []),
];

const NO_JUDGE = 'no case that counts is judged by a model: add one, or take the gate away';

/** It says nothing of the candidate: it never fails. What the judges lack is said where they are proven. */
export const judges: Gate<JudgesResult> = {
  kind: 'judges',
  results: (gating) => resultsOf(gating),

  answer: ([, letter, required, observed, reason]) => ({
    gate: 'judges',
    ...statusOf(letter),
    observed,
    required,
    ...(reason && { reason }),
  }),

  /** Where it is open, no outcome of a case clears the run. */
  shares: (gating) =>
    resultsOf(gating).some(([, letter]) => letter === 'i') ? [{ cases: [], minJudged: 1 }] : [],

  effect: ({ judges: before }, { judges: after }) =>
    gravest([
      ofOptionalBar(before?.min_caught, after?.min_caught),
      before && after ? ofBar(-before.max_age_days, -after.max_age_days) : 'same',
    ]),

  demands: () => [],
};

function resultsOf({ settings, judges: proof }: Gating): JudgesResult[] {
  const required = settings.gates.judges?.min_caught;
  if (required === undefined) return [];
  const { observed, lack } = proof ?? { observed: 0, lack: NO_JUDGE };
  return [
    lack === undefined ? ['judges', 'p', required, observed] : ['judges', 'i', required, observed, lack],
  ];
}
