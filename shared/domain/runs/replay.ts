import type { Principal } from '../principal.ts';
import type { Executed } from './execute.ts';
import { liveRun } from './read.ts';
import { type ReadDeps, readScores } from './results/readResults.ts';

/** The run of a request that is repeated, as far as it has come. */
export async function replayRun(
  deps: Parameters<typeof liveRun>[0] & ReadDeps,
  principal: Principal,
  runId: string,
): Promise<Executed> {
  const run = await liveRun(deps, principal, runId);
  const ended = run.status !== 'pending';
  return { run, results: ended ? await readScores(deps, principal.orgId, run) : undefined };
}
