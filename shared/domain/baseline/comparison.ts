import type { ShownComparison } from '../../contracts/baseline/comparisons.ts';
import { baselineOutcomes } from '../../scoring/verdict/baseline/baseline.ts';
import { compare } from '../../scoring/verdict/baseline/compare.ts';
import type { Comparison } from '../../scoring/verdict/baseline/comparison.ts';
import { CONFIDENCE_LEVEL } from '../../scoring/verdict/confidence.ts';
import { invalidField, notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { baselineId } from '../revisions/ids.ts';
import { type PairCases, suiteThen } from '../runs/baseline/against.ts';
import { scorerDigests } from '../runs/baseline/caseDigests.ts';
import type { AcceptedRuns } from '../runs/baseline/ports.ts';
import { originOf } from '../runs/origin.ts';
import type { RunReader, StoredRun } from '../runs/ports.ts';
import { liveRun } from '../runs/read.ts';
import { refuseHidden } from '../runs/results/redacted.ts';
import { liveSuiteInForce } from '../suites/access/live.ts';
import { type Chains, type SuiteInForce, suiteChain } from '../suites/chains/chains.ts';
import type { NameJudge } from '../suites/digests/judgeIdentity.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import { listedCases } from './listedCases.ts';
import type { BaselineReader, BaselineRecord } from './ports.ts';
import { byNumber, outcomesOf, shownOutcomesOf } from './runOutcomes.ts';

interface Deps extends Ambient {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Chains;
  readonly runs: RunReader;
  readonly baselines: BaselineReader;
  readonly pairCases: PairCases;
  readonly nameJudge: NameJudge;
}

/** What a run is compared with. `record`: undefined for a run that the request names. */
interface Compared {
  readonly accepted: AcceptedRuns;
  readonly record?: BaselineRecord | undefined;
}

/** A run beside its baseline, or beside another run of its suite. */
export async function compareRun(
  deps: Deps,
  principal: Principal,
  runId: string,
  baselineRunId: string | undefined,
): Promise<ShownComparison> {
  const { orgId } = principal;
  const run = await liveRun(deps, principal, runId);
  refuseHidden(run, principal);
  const suiteInForce = await liveSuiteInForce(deps, principal, run.suite_id, 'result');
  const other = baselineRunId === undefined ? undefined : await liveRun(deps, principal, baselineRunId);
  refusePending('runId', run);
  if (other !== undefined) refuseOther(run, other);
  refuseHidden(other ?? currentFor(run, suiteInForce), principal);
  const { accepted, record } =
    other === undefined
      ? await baselineFor(deps, orgId, run, suiteInForce)
      : { accepted: await acceptedAlone(deps, orgId, other), record: undefined };
  const outcomes = await shownOutcomesOf(deps, orgId, run);
  const { suiteRevision, kind, cases } = outcomes;
  const against = await deps.pairCases(
    { suiteRevision, kind, suiteDigest: run.suite_digest ?? '' },
    accepted,
  );
  const comparison = compare(cases, { gates: suiteRevision.settings.gates }, against);
  const then = await suiteThen(deps, suiteRevision, accepted.revisions);
  return {
    run_id: run.id,
    baseline: {
      id: record === undefined ? null : baselineId(run.suite_id, record.name),
      run_ids: [...accepted.runIds],
      created_at: accepted.createdAt,
      run: other === undefined ? null : namedRun(other, suiteInForce),
    },
    notices: [...(record?.notices ?? [])],
    ...figuresOf(comparison),
    cases: listedCases(comparison, { outcomes, accepted, rows: await then.byNumber() }),
  };
}

function namedRun(run: StoredRun, { revision }: SuiteInForce): ShownComparison['baseline']['run'] {
  const { status, inconclusive, created_by, trigger_meta } = run;
  const { branch, pull_request, is_default_branch } = originOf(run, revision.fields.suite.default_ref);
  return { status, inconclusive, created_by, trigger_meta, branch, pull_request, is_default_branch };
}

function refusePending(path: string, { id, status }: StoredRun): void {
  if (status === 'pending') throw invalidField(path, `${id} is pending: wait until it has ended`);
}

function refuseOther(run: StoredRun, other: StoredRun): void {
  refusePending('baseline', other);
  if (other.suite_id !== run.suite_id) throw invalidField('baseline', `${other.id} is of another suite`);
}

/** What would be compared with a run that was judged without a baseline. */
const currentFor = ({ baseline: own }: StoredRun, { revision }: SuiteInForce) =>
  own === null && revision.fields.suite.baseline?.hidden ? { results_hidden: true as const } : {};

/** The one that the run was judged with, else the current one. */
async function baselineFor(
  { baselines }: Deps,
  orgId: string,
  run: StoredRun,
  { head, revision }: SuiteInForce,
): Promise<Compared> {
  const name = run.baseline ?? revision.fields.suite.baseline?.current ?? null;
  const chain = suiteChain(orgId, head);
  const [accepted, record] =
    name === null ? [] : await Promise.all([baselines.accepted(chain, name), baselines.find(chain, name)]);
  if (accepted === undefined || record === undefined) throw notFound('baseline');
  return { accepted, record };
}

/** A run as if it had been accepted. */
async function acceptedAlone(deps: Deps, orgId: string, run: StoredRun): Promise<AcceptedRuns> {
  const outcomes = await outcomesOf(deps, orgId, run);
  return {
    runs: 1,
    kind: outcomes.kind,
    cases: baselineOutcomes([byNumber(outcomes)]),
    suiteDigest: run.suite_digest ?? '',
    revisions: outcomes.suiteRevision.revisions,
    scorers: await scorerDigests(outcomes.suiteRevision, deps.nameJudge),
    runIds: [run.id],
    createdAt: run.created_at,
  };
}

function figuresOf({ comparable, coverage, counts, rates, test, detectableDrop }: Comparison) {
  return {
    comparable,
    coverage,
    counts,
    pass_rate: { ...rates, confidence: CONFIDENCE_LEVEL },
    test: {
      method: test.pValueExact === null ? 'approximate_conditional_mid_p' : 'exact_conditional_mid_p',
      alternative: 'worse',
      p_value: test.pValue,
      p_value_exact: test.pValueExact,
      informative_cases: test.informativeCases,
    },
    detectable_drop: detectableDrop,
  } as const;
}
