import { type ResultState, resultState } from '../../../gate/report/results.ts';
import type { Change } from '../../../gate/report/review/changes.ts';

/** A case beside the baseline, where that is known; else alone. */
export type Standing = ResultState | 'newly failing' | 'failed before';
/** By the ids of cases. */
export type Changes = ReadonlyMap<string, Change> | undefined;

type Judged = Parameters<typeof resultState>[0] & { readonly case_id: string };

export function standingOf(result: Judged, changes: Changes): Standing {
  const state = resultState(result);
  const change = state === 'failed' || state === 'missing' ? changes?.get(result.case_id) : undefined;
  if (change === 'already failing') return 'failed before';
  return change === 'newly failing' ? change : state;
}
