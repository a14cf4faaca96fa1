import type { Credential } from '../../contracts/base/credentials.ts';
import type { OutputItem } from '../../contracts/outputs.ts';
import type { Run } from '../../contracts/runs.ts';
import { NO_FIGURES, repeatedParts, scoreSuite } from '../../scoring/engine.ts';
import type { PreparedSuite } from '../../scoring/types.ts';
import { invalidField, notFound } from '../errors.ts';
import type { WorkQueue } from '../messages.ts';
import { PLAN } from '../plans.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import type { ProjectStore, SuiteStore } from '../suites/ports.ts';
import type { Candidate } from './candidate.ts';
import { keyInProgress } from './idempotency.ts';
import type { IdempotencyClaim, Quota, RunStore, ScoredCase, StoredOutcome } from './ports.ts';
import { backlogFull } from './refusals/backlog.ts';
import { type QuotaGuard, quotaOf } from './refusals/quota.ts';
import { tooManyAtOnce } from './refusals/storing.ts';
import { type ResolvedSuite, resolveSuite } from './resolveSuite.ts';
import type { CachedSuite, SuiteCache } from './suiteCache.ts';

export interface ExecuteDeps extends Ambient {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly runs: RunStore;
  readonly suiteCache: SuiteCache;
  readonly quotaGuard: QuotaGuard;
  readonly queue: WorkQueue;
  /** Called with a message that could not be sent. The sweeper sends it later. */
  readonly onUnsent: (error: unknown, runId: string) => void;
}

export interface RunRequest extends Pick<Candidate, 'input'>, Pick<Run, 'trigger' | 'trigger_meta'> {
  readonly suite: string;
  readonly project?: string | undefined;
  /** Either this or `outputs`. */
  readonly output?: string | undefined;
  readonly outputs?: readonly OutputItem[] | undefined;
  readonly suite_digest?: string | undefined;
  readonly async: boolean;
}

/** Undefined for a pending run. */
export interface Executed {
  readonly run: Run;
  readonly results: readonly ScoredCase[] | undefined;
}

/** Scored at once if no model judges, the suite fits one function and the caller waits; else pending. */
export async function executeRun(
  deps: ExecuteDeps,
  principal: Principal,
  request: RunRequest,
  idempotency: IdempotencyClaim | undefined,
): Promise<Executed> {
  const startedAtMs = deps.now();
  const scorable = withOneOutput(request);
  const { at, suite } = await deps.suiteCache.get(
    principal.orgId,
    () => resolveSuite(deps, principal, request),
    { scoresNow: !request.async },
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
  const { prepared, judgedCases } = suite;
  await deps.quotaGuard.refuseExhausted(stored);
  return prepared === undefined || judgedCases > 0 || request.async
    ? admit(deps, stored, suite, scorable)
    : scoreNow(deps, stored, { ...suite, prepared }, scorable);
}

type Scorable = RunRequest & Candidate;

/** TODO: `outputs` are matched to cases (`matchOutputs`), `suite_digest` is compared; until then both are refused. */
function withOneOutput(request: RunRequest): Scorable {
  const { output, suite_digest } = request;
  if (suite_digest !== undefined) throw invalidField('suite_digest', 'can not be asserted yet');
  if (output === undefined) throw invalidField('outputs', 'can not be judged yet: send output');
  return { ...request, output };
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

/** The stored run, or the error for the caller when nothing was stored. */
function runOf(
  { quotaGuard }: Pick<ExecuteDeps, 'quotaGuard'>,
  request: StoredWith,
  answer: StoredOutcome,
): Run {
  switch (answer.outcome) {
    case 'stored':
      return answer.run;
    case 'suite_gone':
      throw notFound('suite');
    case 'key_in_progress':
      throw keyInProgress();
    case 'busy':
      throw tooManyAtOnce();
    case 'backlog_full':
      throw backlogFull(answer);
    case 'quota_exceeded':
      throw quotaGuard.refusal(request, answer);
  }
}

async function scoreNow(
  { runs, now, quotaGuard }: ExecuteDeps,
  { createdBy, ...stored }: StoredWith,
  suite: CachedSuite & { readonly prepared: PreparedSuite },
  { output, trigger, trigger_meta }: Scorable,
): Promise<Executed> {
  const scored = scoreSuite(suite.prepared, { output, now });
  const completedAtMs = now();
  const results = scored.results.map(({ errored: _, ...result }) => result);
  const duration_ms = Math.round(completedAtMs - stored.startedAtMs);
  const answer = await runs.commit({
    ...stored,
    revision: suite.revision,
    run: { ...scored.verdict, duration_ms, trigger, trigger_meta, created_by: createdBy },
    results,
    repeated: () => repeatedParts(suite.prepared.suite.cases, results),
    completedAtMs,
  });
  return { run: runOf({ quotaGuard }, { createdBy, ...stored }, answer), results };
}

async function admit(
  { runs, queue, onUnsent, quotaGuard }: ExecuteDeps,
  { createdBy, ...stored }: StoredWith,
  suite: CachedSuite,
  { output, input, trigger, trigger_meta }: Scorable,
): Promise<Executed> {
  const answer = await runs.admit({
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
    judgedCases: suite.judgedCases,
  });
  const run = runOf({ quotaGuard }, { createdBy, ...stored }, answer);
  // The pending run is stored. If this message is lost, the sweeper sends it.
  await queue
    .send([{ kind: 'plan', org_id: stored.orgId, run_id: run.id }])
    .catch((error: unknown) => onUnsent(error, run.id));
  return { run, results: undefined };
}
