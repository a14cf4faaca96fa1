import type { Credential } from '../../contracts/base/credentials.ts';
import type { Run } from '../../contracts/runs.ts';
import { readsTrace } from '../../scoring/engine/engine.ts';
import { PLAN, type PlanInForce } from '../plans.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { type AtOneMoment, revisionsOf } from '../suites/chains/atOneMoment.ts';
import type { Revisions } from '../suites/chains/chains.ts';
import { SuiteRevision } from '../suites/chains/suiteRevision.ts';
import type { DigestOfSuite } from '../suites/digests/knownDigests.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { ResolvedSuite } from '../suites/resolveSuite.ts';
import { waiversOf } from './baseline/carriedWaiver.ts';
import { baselineOf, type RelativeDeps } from './baseline/comparedRun.ts';
import { createdAtAfter } from './creation.ts';
import { originOf } from './origin.ts';
import { digestOfOutputs } from './outputs/digests.ts';
import { samplesOf } from './outputs/sampledCases.ts';
import { refuseLargeSharedInput, type Submission } from './outputs/submission.ts';
import { hasResults } from './outputs/traces.ts';
import type { IdempotencyClaim } from './ports.ts';
import type { QuotaGuard } from './refusals/quota.ts';
import { refuseSuite } from './refusals/suites.ts';
import { suiteOfRun } from './refusals/unknownSuite.ts';
import { sampleDigests } from './results/caseResults.ts';
import type { RunToScore } from './score.ts';
import type { ScorableSuite, SuiteCache } from './suiteCache.ts';

export interface LoadDeps extends Pick<Ambient, 'now'>, Omit<RelativeDeps, 'commits'> {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Revisions;
  readonly atOneMoment: AtOneMoment;
  readonly digestOfSuite: DigestOfSuite;
  readonly suiteCache: SuiteCache;
  readonly quotaGuard: QuotaGuard;
}

export interface RunRequest extends Submission, Pick<Run, 'trigger' | 'trigger_meta'> {
  readonly suite: string;
  readonly project?: string | undefined;
  readonly async: boolean;
}

/** What is decided of a run before it is scored. */
interface RunTerms {
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
  readonly resultsHidden: boolean;
}

export interface LoadedRun {
  readonly terms: RunTerms;
  readonly suiteRevision: SuiteRevision;
  readonly request: RunRequest;
}

/** The suite of a run, and the run's terms. Throws where the suite or the quota refuses the run. */
export async function loadRun(
  deps: LoadDeps,
  principal: Principal,
  request: RunRequest,
  idempotency: IdempotencyClaim | undefined,
): Promise<LoadedRun> {
  const startedAtMs = deps.now();
  refuseLargeSharedInput(request);
  const { orgId, credential: createdBy } = principal;
  const { head, project } = await deps.atOneMoment(orgId, () => suiteOfRun(deps, principal, request));
  const revisions = revisionsOf({ head, project });
  const suiteRevision = await SuiteRevision.read(deps.chains, { orgId, suite: head, project, revisions });
  await refuseSuite(deps, suiteRevision, request, startedAtMs);
  const terms = {
    orgId,
    head,
    revisions: suiteRevision.revisions,
    idempotency,
    startedAtMs,
    createdAt: createdAtAfter(head, startedAtMs),
    retentionDays: PLAN[principal.plan].retentionDays,
    plan: { id: principal.plan, version: principal.planVersion },
    createdBy,
    isOfDefaultBranch: originOf({ ...request, created_by: createdBy }, suiteRevision.defaultRef)
      .is_default_branch,
    resultsHidden: suiteRevision.hidesResults,
  };
  await deps.quotaGuard.refuseExhausted(terms);
  return { terms, suiteRevision, request };
}

const readsTraces = (cases: ScorableSuite['cases']): boolean =>
  cases.some(({ scorer }) => readsTrace(scorer?.type ?? ''));

/**
 * All that decides how the run ends. Throws 400 for outputs that do not fit the suite. Undefined for a run that cannot be
 * scored at once: the caller does not wait, a model judges, or the suite is too large for one function.
 */
export async function loadToScore(
  deps: LoadDeps,
  { terms, suiteRevision, request: sent }: LoadedRun,
): Promise<RunToScore | undefined> {
  const suite = sent.async ? undefined : await deps.suiteCache.get(suiteRevision);
  if (suite === undefined) return undefined;
  const request = hasResults(sent)
    ? (await import('./outputs/readResults.ts')).withReadResults(suite.cases, sent)
    : sent;
  const { digest: suiteDigest, name: digestName } = await deps.digestOfSuite(suiteRevision);
  const { createdAt } = terms;
  const { cases } = suite;
  const sampled = samplesOf(cases, request, Date.parse(createdAt));
  const sampleDigestsOf = cases.map((evalCase, index) =>
    sampleDigests(evalCase, sampled.samples[index] ?? []),
  );
  const digests = {
    suite: suiteDigest,
    outputs: digestOfOutputs(cases, sampleDigestsOf, request, readsTraces(cases)),
  };
  const isSingle = request.outputs === undefined;
  return {
    suite,
    settings: suiteRevision.settings,
    createdAt,
    sampled: { ...sampled, digests: sampleDigestsOf, isSingle },
    digests,
    digestName,
    baseline: await baselineOf(deps, { suiteRevision, suiteDigest, kind: isSingle ? 'output' : 'outputs' }),
    waivers: await waiversOf(deps, { suiteRevision, createdAt, digests }),
  };
}
