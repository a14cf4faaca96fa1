import type { Credential } from '../../contracts/base/credentials.ts';
import type { Run } from '../../contracts/runs.ts';
import { NO_FIGURES } from '../../scoring/engine/engine.ts';
import { notFound } from '../errors.ts';
import type { WorkQueue } from '../messages.ts';
import { PLAN, type PlanInForce } from '../plans.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { type AtOneMoment, revisionsOf } from '../suites/chains/atOneMoment.ts';
import type { Revisions } from '../suites/chains/chains.ts';
import { SuiteRevision } from '../suites/chains/suiteRevision.ts';
import type { BarOf } from '../suites/digests/knownDigests.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { ResolvedSuite } from '../suites/resolveSuite.ts';
import type { RelativeDeps } from './baseline/comparedRun.ts';
import { retriedNotices } from './baseline/retried.ts';
import { createdAtAfter } from './creation.ts';
import { keyInProgress } from './idempotency.ts';
import { originOf } from './origin.ts';
import { fitting } from './outputs/fitting.ts';
import { refuseLargeSharedInput, type Submission } from './outputs/submission.ts';
import type { IdempotencyClaim, RunStore, ScoredCase, StoredOutcome, StoredRun } from './ports.ts';
import { backlogFull } from './refusals/backlog.ts';
import type { QuotaGuard } from './refusals/quota.ts';
import { tooManyAtOnce } from './refusals/storing.ts';
import { refuseSuite } from './refusals/suites.ts';
import { suiteOfRun } from './refusals/unknownSuite.ts';
import { NO_RECORD } from './results/verdictRecord.ts';
import { scoreAtOnce } from './scoreNow.ts';
import type { ScorableSuite, SuiteCache } from './suiteCache.ts';

export interface ExecuteDeps extends Ambient, RelativeDeps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly runs: RunStore;
  readonly chains: Revisions;
  readonly atOneMoment: AtOneMoment;
  readonly barOf: BarOf;
  readonly suiteCache: SuiteCache;
  readonly quotaGuard: QuotaGuard;
  readonly queue: WorkQueue;
  /** Called with a message that could not be sent. The sweeper sends it later. */
  readonly onUnsent: (error: unknown, runId: string) => void;
}

export interface RunRequest extends Submission, Pick<Run, 'trigger' | 'trigger_meta'> {
  readonly suite: string;
  readonly project?: string | undefined;
  readonly async: boolean;
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
  const startedAtMs = deps.now();
  refuseLargeSharedInput(request);
  const { orgId } = principal;
  const { head, project } = await deps.atOneMoment(orgId, () => suiteOfRun(deps, principal, request));
  const revisions = revisionsOf({ head, project });
  const at = await SuiteRevision.read(deps.chains, { orgId, suite: head, project, revisions });
  await refuseSuite(deps, at, request, startedAtMs);
  const stored = {
    orgId,
    head,
    revisions: at.revisions,
    idempotency,
    startedAtMs,
    createdAt: createdAtAfter(head, startedAtMs),
    retentionDays: PLAN[principal.plan].retentionDays,
    plan: { id: principal.plan, version: principal.planVersion },
    createdBy: principal.credential,
    isOfDefaultBranch: originOf({ ...request, created_by: principal.credential }, at.defaultRef)
      .is_default_branch,
  };
  await deps.quotaGuard.refuseExhausted(stored);
  const suite = request.async ? undefined : await deps.suiteCache.get(at);
  return suite === undefined
    ? admit(deps, stored, at, request)
    : scoreNow(deps, stored, { at, suite, request });
}

interface StoredWith {
  readonly orgId: string;
  readonly head: ResolvedSuite['head'];
  readonly revisions: string;
  readonly idempotency: IdempotencyClaim | undefined;
  readonly startedAtMs: number;
  readonly createdAt: string;
  readonly retentionDays: number;
  readonly plan: PlanInForce;
  readonly createdBy: Credential;
  readonly isOfDefaultBranch: boolean;
}

/** The stored run, or the error for the caller when nothing was stored. */
function runOf(
  { quotaGuard }: Pick<ExecuteDeps, 'quotaGuard'>,
  request: StoredWith,
  answer: StoredOutcome,
): StoredRun {
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
      throw quotaGuard.refusal(request, answer.used);
  }
}

interface ToScore {
  readonly at: SuiteRevision;
  readonly suite: ScorableSuite;
  readonly request: RunRequest;
}

async function scoreNow(
  deps: ExecuteDeps,
  stored: StoredWith,
  { at, suite, request }: ToScore,
): Promise<Executed> {
  const { trigger, trigger_meta } = request;
  const { startedAtMs, createdBy } = stored;
  const createdAtMs = Date.parse(stored.createdAt);
  const { digest, name: bar } = await deps.barOf(at);
  const {
    verdict,
    results,
    stored: storedResults,
  } = await scoreAtOnce(deps, { at, digest, createdAtMs }, suite, request);
  const retried = await retriedNotices(deps, {
    ...{ orgId: stored.orgId, suiteId: stored.head.suiteId, createdBy, runToken: deps.newId() },
    ...{ status: verdict.status, inconclusive: verdict.inconclusive },
  });
  const completedAtMs = deps.now();
  const duration_ms = Math.round(completedAtMs - startedAtMs);
  const made = { duration_ms, trigger, trigger_meta, created_by: createdBy };
  const answer = await deps.runs.commit({
    ...{ ...stored, bar },
    run: { ...verdict, notices: [...retried, ...verdict.notices], ...made },
    results: storedResults,
    completedAtMs,
  });
  return { run: runOf(deps, stored, answer), results };
}

async function admit(
  deps: ExecuteDeps,
  stored: StoredWith,
  at: SuiteRevision,
  request: RunRequest,
): Promise<Executed> {
  const { runs, queue, onUnsent } = deps;
  const { output, trace, input, trigger, trigger_meta } = request;
  const { outputs, judgedCases } = await fitting(at, request, Date.parse(stored.createdAt));
  const answer = await runs.admit({
    ...stored,
    run: {
      ...NO_FIGURES,
      ...NO_RECORD,
      status: 'pending',
      total_cases: at.sums.active,
      duration_ms: 0,
      trigger,
      trigger_meta,
      created_by: stored.createdBy,
    },
    submission: { output, ...(trace && { trace }), input, outputs },
    judgedCases,
  });
  const run = runOf(deps, stored, answer);
  // The pending run is stored. If this message is lost, the sweeper sends it.
  await queue
    .send([{ kind: 'plan', org_id: stored.orgId, run_id: run.id }])
    .catch((error: unknown) => onUnsent(error, run.id));
  return { run, results: undefined };
}
