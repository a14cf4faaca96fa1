import type { Run } from '../../contracts/runs.ts';
import type { RunStore, ScoredCase } from '../ports.ts';

/** From the start of the request, below API Gateway's 30 s: who waits longer gets the pending run. */
const WAIT_MS_MAX = 25_000;
const FIRST_LOOK_MS = 100;
const LOOK_MS_MAX = 1_000;

interface Deps {
  readonly runs: RunStore;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The run with its results as soon as it has ended, or the pending run when that takes too long. */
export async function awaitVerdict(
  { runs, now, sleep }: Deps,
  orgId: string,
  run: Run,
  startedAtMs: number,
): Promise<{ run: Run; results: readonly ScoredCase[] | undefined }> {
  const until = startedAtMs + WAIT_MS_MAX;
  for (let wait = FIRST_LOOK_MS; now() < until; wait = Math.min(LOOK_MS_MAX, wait * 1.5)) {
    await sleep(Math.min(wait, until - now()));
    const current = await runs.find(orgId, run.id);
    if (current !== undefined && current.status !== 'pending') {
      return { run: current, results: await runs.results(orgId, run.id) };
    }
  }
  return { run, results: undefined };
}
