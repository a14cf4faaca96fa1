import type { Credential } from '../../contracts/base/credentials.ts';
import type { Run } from '../../contracts/runs.ts';
import { NO_FIGURES, repeatedParts, scoreSuite } from '../../scoring/engine.ts';
import type { PreparedSuite } from '../../scoring/types.ts';
import { invalidField, notFound } from '../errors.ts';
import type { EvaluationQueue } from '../evaluation/ports.ts';
import { PLAN } from '../plans.ts';
import type { Ambient, Principal, ProjectStore, RunStore, ScoredCase, SuiteStore } from '../ports.ts';
import type { Candidate } from './candidate.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import { type Quota, type QuotaGuard, quotaOf } from './quota.ts';
import { type ResolvedSuite, resolveSuite } from './resolveSuite.ts';
import type { CachedSuite, SuiteCache } from './suiteCache.ts';

export interface ExecuteDeps extends Ambient {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly runs: RunStore;
  readonly suiteCache: SuiteCache;
  readonly withinQuota: QuotaGuard;
  readonly queue: EvaluationQueue;
  /** Told of a message that could not be sent: the sweeper asks for its run again. */
  readonly onUnsent: (error: unknown, runId: string) => void;
}

export interface RunRequest extends Candidate, Pick<Run, 'trigger' | 'trigger_meta'> {
  readonly suite: string;
  readonly project?: string | undefined;
  readonly async: boolean;
}

/** `results` are there when the run is scored already. */
export interface Executed {
  readonly run: Run;
  readonly results: readonly ScoredCase[] | undefined;
}

/**
 * Scores an output with every active case of a suite. At once where nothing has to be judged by a model, one function
 * can hold it all and the caller waits; otherwise the run is stored as pending and handed to the evaluator.
 */
export async function executeRun(
  deps: ExecuteDeps,
  principal: Principal,
  request: RunRequest,
  idempotency: IdempotencyClaim | undefined,
): Promise<Executed> {
  const startedAtMs = deps.now();
  const { at, suite } = await deps.suiteCache.get(principal.orgId, () =>
    resolveSuite(deps, principal, request),
  );
  if (suite.caseCount === 0) {
    throw invalidField(
      'suite',
      'has no active case, and a gate that checks nothing must not clear: add one first',
    );
  }
  const stored = {
    orgId: principal.orgId,
    head: at.head,
    idempotency,
    startedAtMs,
    retentionDays: PLAN[principal.plan].retentionDays,
    quota: quotaOf(principal.plan),
    createdBy: principal.credential,
  };
  const { prepared, isJudged } = suite;
  const executed = await deps.withinQuota(stored, () =>
    prepared === undefined || isJudged || request.async
      ? admit(deps, stored, suite, request)
      : scoreNow(deps, stored, { ...suite, prepared }, request),
  );
  if (executed === undefined) throw notFound('suite');
  return executed;
}

interface StoredWith {
  readonly orgId: string;
  readonly head: ResolvedSuite['head'];
  readonly idempotency: IdempotencyClaim | undefined;
  readonly startedAtMs: number;
  readonly retentionDays: number;
  readonly quota: Quota | undefined;
  readonly createdBy: Credential;
}

async function scoreNow(
  { runs, now }: ExecuteDeps,
  { createdBy, ...stored }: StoredWith,
  suite: CachedSuite & { readonly prepared: PreparedSuite },
  { output, trigger, trigger_meta }: RunRequest,
): Promise<Executed | undefined> {
  const scored = scoreSuite(suite.prepared, { output, now });
  const completedAtMs = now();
  const results = scored.results.map(({ errored: _, ...result }) => result);
  const duration_ms = Math.round(completedAtMs - stored.startedAtMs);
  const run = await runs.commit({
    ...stored,
    revision: suite.revision,
    run: { ...scored.verdict, duration_ms, trigger, trigger_meta, created_by: createdBy },
    results,
    repeated: () => repeatedParts(suite.prepared.suite.cases, results),
    completedAtMs,
  });
  return run && { run, results };
}

async function admit(
  { runs, queue, onUnsent }: ExecuteDeps,
  { createdBy, ...stored }: StoredWith,
  suite: CachedSuite,
  { output, input, trigger, trigger_meta }: RunRequest,
): Promise<Executed | undefined> {
  const run = await runs.admit({
    ...stored,
    run: {
      ...NO_FIGURES,
      status: 'pending',
      total_cases: suite.caseCount,
      duration_ms: 0,
      trigger,
      trigger_meta,
      created_by: createdBy,
    },
    candidate: { output, input },
  });
  if (run === undefined) return undefined;
  // The run is stored, and what is stored will be evaluated: a message that is lost here is sent by the sweeper.
  await queue
    .send([{ kind: 'plan', org_id: stored.orgId, run_id: run.id }])
    .catch((error: unknown) => onUnsent(error, run.id));
  return { run, results: undefined };
}
