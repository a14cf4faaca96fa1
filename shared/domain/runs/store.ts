import type { Ambient } from '../ports.ts';
import type { SuiteRevision } from '../suites/chains/suiteRevision.ts';
import type { CommitStore } from './baseline/ports.ts';
import { retriedNotices } from './baseline/retried.ts';
import type { LoadedRun } from './load.ts';
import type { RunStore, StoredRun } from './ports.ts';
import type { QuotaGuard } from './refusals/quota.ts';
import { storedOrThrow } from './refusals/storing.ts';
import { EXCERPTS_BYTES_MAX, type Excerpted, withExcerpts } from './results/excerpts.ts';
import { splitResults } from './results/join.ts';
import type { RunToScore, ScoredRun } from './score.ts';

export interface StoreDeps extends Pick<Ambient, 'now' | 'newId'> {
  readonly runs: Pick<RunStore, 'commit'>;
  readonly commits: CommitStore;
  readonly quotaGuard: QuotaGuard;
}

/** The results with what is kept of outputs, and of what cases ask and expect. */
export const keptResults = (
  suiteRevision: SuiteRevision,
  { cases }: Pick<ScoredRun, 'cases'>,
): Promise<Excerpted[]> =>
  withExcerpts(cases, {
    keep: suiteRevision.settings.keepOutputs,
    bytesMax: EXCERPTS_BYTES_MAX,
    readTexts: (ids) => suiteRevision.textsOf(ids),
  });

/** Stores a scored run and counts it, or throws the error for the caller: then nothing of it is stored. */
export async function storeRun(
  deps: StoreDeps,
  { terms, suiteRevision, request }: LoadedRun,
  { suite, digestName }: RunToScore,
  scored: ScoredRun,
): Promise<StoredRun> {
  const { startedAtMs, createdBy } = terms;
  const { notices } = scored.verdict;
  const kept = await keptResults(suiteRevision, scored);
  const retried = await retriedNotices(deps, {
    orgId: terms.orgId,
    suiteId: terms.head.suiteId,
    createdBy,
    // Of a request that is sent again it is the same.
    runToken: terms.idempotency?.keySha256 ?? deps.newId(),
    triggerMeta: request.trigger_meta,
    suiteRevision,
    verdict: scored.verdict,
  });
  const completedAtMs = deps.now();
  const outcome = await deps.runs.commit({
    ...terms,
    bar: digestName,
    run: {
      ...scored.verdict,
      notices: [...retried, ...notices],
      duration_ms: Math.round(completedAtMs - startedAtMs),
      trigger: request.trigger,
      trigger_meta: request.trigger_meta,
      created_by: createdBy,
    },
    results: splitResults(kept, suite.cases),
    completedAtMs,
  });
  return storedOrThrow(deps, terms, outcome);
}
