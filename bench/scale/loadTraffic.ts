import { SLOTS_MAX } from '../../shared/domain/evaluation/limits.ts';
import { type Assumed, SYNC_RUN } from '../cost/cost.ts';
import type { Counts } from '../cost/costCounts.ts';
import { countJudgedRuns, countSyncRuns } from '../cost/costRuns.ts';
import { startMeteredService } from '../cost/meteredService.ts';

export const RUNS_A_DAY = 10_000_000;
export const PEAK = 10;
/** Runs a second. */
export const AVERAGE = RUNS_A_DAY / 86_400;
export const JUDGED_PART = 0.2;
/** One call of 3 s each, as many at once as there are slots; the caller looks once a second. */
export const JUDGED = { calls: 50, looks: 9 } as const;
const CALL_SECONDS = 3;
export const JUDGED_SECONDS = Math.ceil(JUDGED.calls / SLOTS_MAX) * CALL_SECONDS;
export const JUDGED_RUN: Assumed = { apiSeconds: 0.04, evaluatorSeconds: 0.1, waitSeconds: JUDGED_SECONDS };
/** What a judged run holds of functions of the API, if it is not sent with `async`: it is answered within this. */
const ANSWERED_SECONDS_MAX = 25;

export interface Traffic {
  readonly sync: readonly Counts[];
  readonly judged: readonly Counts[];
}

/** Counted on the real handlers, one run after the other. */
export async function counted(runs: number): Promise<Traffic> {
  const metered = await startMeteredService();
  try {
    return {
      sync: await countSyncRuns(metered, runs),
      judged: await countJudgedRuns(metered, runs, JUDGED),
    };
  } finally {
    await metered.stop();
  }
}

/** What one run a second of this mix takes on average. */
export function demand() {
  const [judged, sync] = [JUDGED_PART, 1 - JUDGED_PART];
  const requests = sync + judged * (1 + JUDGED.looks);
  return {
    requests,
    calls: judged * JUDGED.calls,
    api: sync * SYNC_RUN.apiSeconds + (requests - sync) * JUDGED_RUN.apiSeconds,
    held: judged * Math.min(ANSWERED_SECONDS_MAX, JUDGED_SECONDS),
    evaluators: judged * (JUDGED_RUN.evaluatorSeconds + JUDGED_RUN.waitSeconds),
  };
}
