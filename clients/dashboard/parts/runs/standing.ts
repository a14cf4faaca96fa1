import { type ResultState, resultState } from '../../../gate/report/results.ts';
import type { Change } from '../../../gate/report/review/changes.ts';
import type { RunResult } from '../../../sdk/index.ts';

/** A case beside the baseline, where that is known; else alone. */
export type Standing = ResultState | 'newly failing' | 'failed before';
/** By the ids of cases. */
export type Changes = ReadonlyMap<string, Change> | undefined;

export function standingOf(result: RunResult, changes: Changes): Standing {
  const state = resultState(result);
  const change = state === 'failed' || state === 'missing' ? changes?.get(result.case_id) : undefined;
  if (change === 'already failing') return 'failed before';
  return change === 'newly failing' ? change : state;
}
