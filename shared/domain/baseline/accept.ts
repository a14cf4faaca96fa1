import { covers } from '../../contracts/base/scopes.ts';
import type { Baseline } from '../../contracts/baseline/baselines.ts';
import { baselineOutcomes } from '../../scoring/verdict/baseline/baseline.ts';
import { AppError, notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import { jobOf, type Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';
import { editChain } from '../revisions/edit.ts';
import { baselineId, newToken } from '../revisions/ids.ts';
import type { PairCases } from '../runs/baseline/against.ts';
import { scorerDigests } from '../runs/baseline/caseDigests.ts';
import type { AcceptedRuns } from '../runs/baseline/ports.ts';
import type { RunReader, StoredRun } from '../runs/ports.ts';
import { liveRun } from '../runs/read.ts';
import { liveSuiteInForce } from '../suites/access/live.ts';
import { requireMayWrite } from '../suites/access/writes.ts';
import { type Chains, type CurrentSuite, type SuiteInForce, suiteChain } from '../suites/chains/chains.ts';
import { editDeps } from '../suites/chains/edits.ts';
import { editedSuite } from '../suites/chains/memberEdits.ts';
import type { NameJudge } from '../suites/digests/judgeIdentity.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { StoredSuite } from '../suites/stored.ts';
import { timestamp } from '../time.ts';
import { refuseRuns } from './acceptable.ts';
import { refuseFall } from './fall.ts';
import { mean, noticesOf, withUse } from './notices.ts';
import type { BaselineRecord, BaselineStore } from './ports.ts';
import { shownBaseline } from './read.ts';
import { byNumber, kindOf, outcomesOfAll, type RunOutcomes } from './runOutcomes.ts';

interface Deps extends Ambient {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Chains;
  readonly runs: RunReader;
  readonly baselines: BaselineStore;
  readonly pairCases: PairCases;
  readonly nameJudge: NameJudge;
}

interface Requested {
  readonly run_ids: readonly string[];
  readonly reason: string | null;
}

/** Puts one to five runs in force as what later runs are compared with. Of the scope `suites` only jobs may. */
export async function acceptBaseline(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  requested: Requested,
): Promise<Baseline> {
  const { orgId } = principal;
  const job = covers(principal.scope, 'full') ? undefined : jobOf(principal);
  const suiteInForce = await liveSuiteInForce(
    deps,
    principal,
    suiteId,
    job === undefined ? 'full' : 'suites',
  );
  await requireMayAccept(deps, principal, suiteInForce.revision.fields.suite);
  const runs: StoredRun[] = [];
  for (const id of requested.run_ids) runs.push(await liveRun(deps, principal, id));
  refuseRuns(runs, { suiteId, job });
  const evidence = withoutCopies(runs);
  const isHidden = runs.some(({ results_hidden }) => results_hidden);
  const outcomes = await outcomesOfAll(deps, orgId, evidence);
  const accepted = { ...(await acceptedRuns(deps, outcomes)), runIds: runs.map(({ id }) => id) };
  const otherRunRates = await otherRates(deps, principal, suiteInForce, runs);
  const token = newToken(deps.now());
  const chain = suiteChain(orgId, suiteInForce.head);
  const edits = { ...editDeps(deps, deps.chains.cases, principal.credential), newToken: () => token };
  let record: BaselineRecord | undefined;
  const revision = await editChain(edits, chain, async (present: CurrentSuite) => {
    const { suite } = present.revision.fields;
    await requireMayAccept(deps, principal, suite);
    const before = await recordsBefore(deps, orgId, suiteInForce, suite);
    const anchor = job === undefined ? token : before.current?.anchor;
    if (anchor === undefined) throw new Error(`The baseline of the suite ${suite.id} is gone`);
    if (anchor !== token) await refuseFall(deps, outcomes, { chain, suite, anchor });
    const { cases, runIds, createdAt, suiteDigest, kind } = accepted;
    const rates = evidence.map(({ pass_rate }) => pass_rate);
    const copies = runs.length - evidence.length;
    const errored = cases.filter((one) => one.errored && one.advisory !== 'all').length;
    record = {
      name: token,
      previous: suite.baseline?.last ?? null,
      ordinal: (before.last?.ordinal ?? 0) + 1,
      anchor,

      run_ids: [...runIds],
      suite_digest: suiteDigest,
      kind,
      pass_rate: mean(rates),
      cases: cases.length,
      accepted_by: principal.credential,
      reason: requested.reason,
      created_at: createdAt,
      notices: noticesOf({
        accepted: rates,
        otherRates: otherRunRates,
        before: before.current?.pass_rate,
        errored,
        copies,
      }),
    };
    await deps.baselines.put(chain, record, accepted);
    return editedSuite(present, {
      act: { action: 'accepted', target: { type: 'baseline', id: baselineId(suite.id, token) } },
      isCounted: false,
      suite: { ...suite, baseline: { current: token, last: token, ...(isHidden && { hidden: true }) } },
    });
  });
  if (revision === undefined || record === undefined) throw notFound('suite');
  return withUse(shownBaseline(suiteId, record), revision.fields.suite.gates);
}

/** Of runs with the same outputs the first. */
const withoutCopies = <Run extends Pick<StoredRun, 'outputs_digest'>>(runs: readonly Run[]): Run[] =>
  runs.filter(
    ({ outputs_digest: digest }, index) =>
      runs.findIndex(({ outputs_digest }) => outputs_digest === digest) === index,
  );

/** The first baseline, and the first after a removal, is a person's choice. */
async function requireMayAccept(deps: Deps, principal: Principal, suite: StoredSuite): Promise<void> {
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite, mayWeaken: false });
  if (covers(principal.scope, 'full') || (suite.baseline?.current ?? null) !== null) return;
  throw new AppError(
    'SCOPE_REQUIRED',
    'The suite has no baseline, and its first one is accepted with an API key of scope "full".',
  );
}

async function acceptedRuns(
  { nameJudge, now }: Pick<Deps, 'nameJudge' | 'now'>,
  outcomes: readonly RunOutcomes[],
): Promise<Omit<AcceptedRuns, 'runIds'>> {
  const [first] = outcomes;
  if (first === undefined) throw new Error('A baseline has at least one run');
  return {
    runs: outcomes.length,
    kind: first.kind,
    cases: baselineOutcomes(outcomes.map(byNumber)),
    suiteDigest: first.run.suite_digest ?? '',
    revisions: first.suiteRevision.revisions,
    scorers: await scorerDigests(first.suiteRevision, nameJudge),
    createdAt: timestamp(now()),
  };
}

const NEWEST = 50;

/** Of the suite's newest runs that were judged alike, without those that are accepted. */
async function otherRates(
  { runs, now }: Pick<Deps, 'runs' | 'now'>,
  principal: Principal,
  { head }: SuiteInForce,
  accepted: readonly StoredRun[],
): Promise<number[]> {
  const [first] = accepted;
  const since = retainedSince(principal, now());
  const { items } = await runs.page(principal.orgId, head, since, { page: 1, pageSize: NEWEST });
  const ids = new Set(accepted.map(({ id }) => id));
  return items
    .filter((run) => run.suite_digest === first?.suite_digest && !ids.has(run.id))
    .filter((run) => run.verdict !== null && first !== undefined && kindOf(run) === kindOf(first))
    .map(({ pass_rate }) => pass_rate);
}

async function recordsBefore(
  { baselines }: Pick<Deps, 'baselines'>,
  orgId: string,
  { head }: SuiteInForce,
  { baseline }: StoredSuite,
): Promise<{ readonly current?: BaselineRecord | undefined; readonly last?: BaselineRecord | undefined }> {
  if (baseline === undefined) return {};
  const last = await baselines.find(suiteChain(orgId, head), baseline.last);
  return { last, current: baseline.current === null ? undefined : last };
}
