import type { Principal } from '../principal.ts';
import type { AdmitDeps } from './admit.ts';
import { type LoadDeps, loadRun, loadToScore, type RunRequest } from './load.ts';
import type { IdempotencyClaim, RunStore, ScoredCase, StoredRun } from './ports.ts';
import { scoreRun } from './score.ts';
import { type StoreDeps, storeRun } from './store.ts';

export interface ExecuteDeps extends LoadDeps, StoreDeps, AdmitDeps {
  readonly runs: RunStore;
}

/** Undefined for a pending run. */
export interface Executed {
  readonly run: StoredRun;
  readonly results: readonly ScoredCase[] | undefined;
}

/** Scored at once if no model judges, the suite fits one function and the caller waits; else pending. */
export async function executeRun(
  deps: ExecuteDeps,
  principal: Principal,
  request: RunRequest,
  idempotency: IdempotencyClaim | undefined,
): Promise<Executed> {
  const loaded = await loadRun(deps, principal, request, idempotency);
  const toScore = await loadToScore(deps, loaded);
  if (toScore === undefined) {
    const { admitRun } = await import('./admit.ts');
    return { run: await admitRun(deps, loaded), results: undefined };
  }
  const scored = scoreRun(toScore, deps.now);
  const run = await storeRun(deps, loaded, toScore, scored);
  return { run, results: scored.cases.map(({ result }) => result) };
}
