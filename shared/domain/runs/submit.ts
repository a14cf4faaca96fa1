import { covers } from '../../contracts/base/scopes.ts';
import type { Principal } from '../principal.ts';
import type { WaiverReader } from './baseline/ports.ts';
import { type ExecuteDeps, type Executed, executeRun } from './execute.ts';
import { once } from './idempotency.ts';
import type { RunRequest } from './load.ts';
import type { IdempotencyStore, StoredRun } from './ports.ts';
import { hidesResults, redacted } from './results/redacted.ts';
import { withWaiver } from './waiverOfRun.ts';

export interface SubmitDeps extends ExecuteDeps {
  readonly waivers: WaiverReader;
  readonly idempotency: IdempotencyStore;
  readonly waitingChunks: { areAny(orgId: string): Promise<boolean> };
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Stores one run for an idempotency key. A caller that waits gets the verdict if it comes in time, and the pending run
 * at once where other runs of the organisation wait for judges already: all organisations share the functions that wait.
 */
export async function submitRun(
  deps: SubmitDeps,
  principal: Principal,
  request: RunRequest,
  key: string | undefined,
): Promise<{ executed: Executed; replayed: boolean }> {
  const needed = request.judge_again ? 'suites' : 'run';
  if (!covers(principal.scope, needed)) throw (await import('./admit.ts')).lacksScope(needed);
  const startedAtMs = deps.now();
  const { orgId, projectId } = principal;
  const { outcome, replayed } = await once(
    deps,
    orgId,
    { key, projectId, body: request },
    {
      act: (claim) => executeRun(deps, principal, request, claim),
      replay: async (runId) => (await import('./replay.ts')).replayRun(deps, principal, runId),
    },
  );
  const mayWait = outcome.run.status === 'pending' && !request.async;
  const waits = mayWait && !(await waitsBehindOthers(deps, orgId));
  const { run, results } = waits ? await verdictOf(deps, orgId, outcome.run, startedAtMs) : outcome;
  return {
    executed: {
      run: redacted(await withWaiver(deps, orgId, run), principal),
      results: hidesResults(run, principal) ? results && [] : results,
    },
    replayed,
  };
}

/** Only runs with judges or of large suites wait: the code for that is read with the first. */
async function verdictOf(
  deps: SubmitDeps,
  orgId: string,
  run: StoredRun,
  startedAtMs: number,
): Promise<Executed> {
  const { awaitVerdict } = await import('./awaitVerdict.ts');
  return awaitVerdict(deps, orgId, run, startedAtMs);
}

/** A failed read is no reason not to wait. */
const waitsBehindOthers = ({ waitingChunks }: SubmitDeps, orgId: string): Promise<boolean> =>
  waitingChunks.areAny(orgId).catch(() => false);
