import type { Waiver } from '../../contracts/baseline/waiver.ts';
import { requireScope } from '../access.ts';
import { AppError, invalidField, notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { editChain } from '../revisions/edit.ts';
import type { Act } from '../revisions/ports.ts';
import { digestsOf, failsRequired, shownWaiver, waivedCases } from '../runs/baseline/carriedWaiver.ts';
import type { StoredWaiver } from '../runs/baseline/ports.ts';
import { placeOfRun } from '../runs/ids.ts';
import type { RunReader, StoredRun } from '../runs/ports.ts';
import { liveRun } from '../runs/read.ts';
import { stateFields } from '../runs/results/state.ts';
import { suiteRevisionOfRun } from '../runs/suiteRevisionOfRun.ts';
import { liveSuiteInForce } from '../suites/access/live.ts';
import { type Chains, type CurrentSuite, type SuiteChain, suiteChain } from '../suites/chains/chains.ts';
import { editDeps } from '../suites/chains/edits.ts';
import { editedSuite } from '../suites/chains/memberEdits.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import { DAY_MS, timestamp } from '../time.ts';
import type { WaiverStore } from './ports.ts';

const WAIVED_DAYS_MAX = 30;

interface Deps extends Ambient {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Chains;
  readonly runs: RunReader;
  readonly waivers: WaiverStore;
}

interface Requested {
  readonly reason: string;
  readonly expires_at: string;
}

/** Makes an aborted run, and later ones of the same bar and outputs, count as good enough for a while. */
export async function waiveRun(
  deps: Deps,
  principal: Principal,
  runId: string,
  { reason, expires_at }: Requested,
): Promise<Waiver> {
  const { run, chain } = await runToWaive(deps, principal, runId);
  const nowMs = deps.now();
  const expiresMs = Date.parse(expires_at);
  if (expiresMs <= nowMs) throw invalidField('expires_at', 'must be in the future');
  if (expiresMs > nowMs + WAIVED_DAYS_MAX * DAY_MS)
    throw invalidField('expires_at', `at most ${WAIVED_DAYS_MAX} days ahead`);
  const { cases, digests } = await waivable(deps, principal.orgId, run);
  const waiver: StoredWaiver = {
    id: deps.newId(),
    number: numberOf(run),
    ...waivedCases(cases),
    reason,
    waived_by: principal.credential,
    created_at: timestamp(nowMs),
    expires_at: timestamp(expiresMs),
  };
  const logged = { run_id: run.id, reason, expires_at: waiver.expires_at };
  const changes = Object.fromEntries(Object.entries(logged).map(([name, to]) => [name, { from: null, to }]));
  const act = { action: 'waived', target: { type: 'waiver', id: waiver.id }, changes } as const;
  await put(deps, principal, { digests, number: waiver.number, suite: chain, waiver }, act);
  return shownWaiver(digests, waiver, { runId: run.id, nowMs });
}

/** Of the run itself: one that it only carries is revoked where it was made. */
export async function revokeWaiver(deps: Deps, principal: Principal, runId: string): Promise<void> {
  const { run, chain } = await runToWaive(deps, principal, runId);
  const digests = digestsOf(run);
  const number = numberOf(run);
  const waiver = digests && (await deps.waivers.find(chain, digests, number));
  if (waiver === undefined || digests === undefined) throw notFound('waiver');
  const changes = { run_id: { from: run.id, to: null } };
  const act = { action: 'revoked', target: { type: 'waiver', id: waiver.id }, changes } as const;
  await put(deps, principal, { digests, number, suite: chain, waiver: null }, act);
}

async function runToWaive(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<{ readonly run: StoredRun; readonly chain: SuiteChain }> {
  const run = await liveRun(deps, principal, id);
  const { head } = await liveSuiteInForce(deps, principal, run.suite_id, 'result');
  requireScope(principal, 'full');
  return { run, chain: suiteChain(principal.orgId, head) };
}

const numberOf = ({ id }: StoredRun): number => placeOfRun(id)?.number ?? 0;

type Why = 'pending' | 'not_aborted' | 'not_counted' | 'inconclusive' | 'must_pass_failed';

const SENTENCES: Readonly<Record<Why, string>> = {
  pending: 'The run is pending: wait until it has ended.',
  not_aborted: 'The run was cleared: there is nothing to waive.',
  not_counted: 'The run could not be evaluated, and what it would waive is not known: run the suite again.',
  inconclusive:
    'The run is inconclusive, and what it would waive is not known: do what its gates say, then run the suite again.',
  must_pass_failed: 'A case that must pass did not: change the case if it need not.',
};

const refused = (why: Why): AppError => new AppError('RUN_NOT_WAIVABLE', SENTENCES[why], { why });

async function waivable(deps: Deps, orgId: string, run: StoredRun) {
  if (run.status === 'pending') throw refused('pending');
  if (run.status !== 'aborted') throw refused('not_aborted');
  if (run.verdict === null) throw refused('not_counted');
  if (run.inconclusive) throw refused('inconclusive');
  const cases = await endedCases(deps, orgId, run);
  if (failsRequired(cases)) throw refused('must_pass_failed');
  const digests = digestsOf(run);
  if (digests === undefined) throw new Error(`Run ${run.id} has no digests`);
  return { cases, digests };
}

/** What became of its cases. A run that lacks some of its results is an error. */
async function endedCases({ runs, chains }: Deps, orgId: string, run: StoredRun) {
  const [stored = [], suiteRevision] = await Promise.all([
    runs.results(orgId, run.id, ({ member, state, other }) => ({ member, state, other })),
    suiteRevisionOfRun({ chains }, { orgId, run }),
  ]);
  const active = (await suiteRevision.activeCases()).map(({ member }) => member);
  const rows = new Map(active.map(({ number, row }) => [number, row]));
  const cases = stored.flatMap(({ member, state, other }) => {
    const row = member === null ? undefined : rows.get(member);
    return row === undefined
      ? []
      : [{ ...stateFields(state), ...other, id: row.id, mustPass: row.must_pass }];
  });
  if (cases.length !== active.length)
    throw new Error(`Run ${run.id} has results for ${cases.length} of ${active.length} cases`);
  return cases;
}

/** A revision of the suite says it, and is in force together with it. */
async function put(
  { waivers, chains, now }: Deps,
  principal: Principal,
  waiving: Parameters<WaiverStore['flipWith']>[0],
  act: Act,
): Promise<void> {
  const flip = waivers.flipWith(waiving);
  const edits = { ...editDeps({ chains, now }, chains.cases, principal.credential), flip };
  const revision = await editChain(edits, waiving.suite, async (present: CurrentSuite) => {
    const { suite } = present.revision.fields;
    const ends = [suite.waived_until ?? '', waiving.waiver?.expires_at ?? ''].toSorted();
    return editedSuite(present, { act, isCounted: false, suite: { ...suite, waived_until: ends[1] } });
  });
  if (revision === undefined) throw notFound('run');
}
