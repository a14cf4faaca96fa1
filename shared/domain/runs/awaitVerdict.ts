import { REQUEST_WAIT_MS_MAX } from '../limits.ts';
import type { RunStore, ScoredCase, StoredRun } from './ports.ts';
import { type ReadDeps, readScores } from './results/readResults.ts';

const FIRST_LOOK_MS = 100;
const LOOK_MS_MAX = 1_000;

interface Deps extends ReadDeps {
  readonly runs: RunStore;
  readonly now: () => number;
  readonly sleep: (ms: number, until?: AbortSignal) => Promise<void>;
}

/** The pending run when its end takes too long. Failed reads are ignored, since the caller needs the id. */
export async function awaitVerdict(
  { now, sleep, ...deps }: Deps,
  orgId: string,
  run: StoredRun,
  startedAtMs: number,
): Promise<{ run: StoredRun; results: readonly ScoredCase[] | undefined }> {
  const until = startedAtMs + REQUEST_WAIT_MS_MAX;
  const over = new AbortController();
  const late = sleep(Math.max(0, until - now()), over.signal).then(() => undefined);
  try {
    return (
      (await lookUntil({ ...deps, now, sleep }, { orgId, run, until, late })) ?? { run, results: undefined }
    );
  } finally {
    over.abort();
  }
}

interface Waiting {
  readonly orgId: string;
  readonly run: StoredRun;
  readonly until: number;
  readonly late: Promise<undefined>;
}

async function lookUntil({ now, sleep, ...deps }: Deps, { orgId, run, until, late }: Waiting) {
  for (let wait = FIRST_LOOK_MS; now() < until; wait = Math.min(LOOK_MS_MAX, wait * 1.5)) {
    await sleep(Math.min(wait, until - now()));
    const ended = await Promise.race([look(deps, orgId, run.id).catch(() => undefined), late]);
    if (ended !== undefined) return ended;
  }
  return undefined;
}

async function look(deps: Omit<Deps, 'now' | 'sleep'>, orgId: string, runId: string) {
  const current = await deps.runs.find(orgId, runId);
  if (current === undefined || current.status === 'pending') return undefined;
  return { run: current, results: await readScores(deps, orgId, current) };
}
