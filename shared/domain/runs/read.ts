import type { PageQuery } from '../../contracts/base/common.ts';
import { covers } from '../../contracts/base/scopes.ts';
import type { RunResult } from '../../contracts/results/results.ts';
import type { ShownRun } from '../../contracts/runs.ts';
import { notFound } from '../errors.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';
import { liveSuite, projectOpen } from '../suites/access/live.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { StoredSuite } from '../suites/stored.ts';
import type { RunReader, StoredRun } from './ports.ts';
import { type ReadDeps, readResults } from './results/readResults.ts';
import { type WaiverDeps, withWaiver } from './waiverOfRun.ts';

interface Deps extends Ambient {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly runs: RunReader;
}

interface WithSuites {
  readonly suites: Pick<SuiteReader, 'find'>;
}

/** A run outlives its suite, but not its project and not its retention. */
export async function liveRun(
  deps: Omit<Deps, 'suites'>,
  principal: Principal,
  runId: string,
): Promise<StoredRun> {
  const run = await deps.runs.find(principal.orgId, runId);
  const retained = run !== undefined && run.created_at >= retainedSince(principal, deps.now());
  if (!retained || !(await projectOpen(deps, principal, run))) throw notFound('run');
  return run;
}

/** As it is answered. A run of a deleted suite has no waiver: it cannot be revoked any more. */
export async function shownRun(
  deps: Omit<Deps, 'suites'> & WithSuites & WaiverDeps,
  principal: Principal,
  runId: string,
): Promise<ShownRun> {
  const run = await liveRun(deps, principal, runId);
  const suite = await deps.suites.find(principal.orgId, run.suite_id);
  if (suite === undefined) return { ...run, suite: null };
  return { ...(await withWaiver(deps, principal.orgId, run)), suite: named(suite) };
}

const named = ({ slug, name, project_slug }: StoredSuite) => ({ slug, name, project_slug });

/** In the order of the cases. */
export async function runResults(
  deps: Omit<Deps, 'suites'> & WithSuites & ReadDeps,
  principal: Principal,
  runId: string,
): Promise<{ readonly run: StoredRun; readonly results: RunResult[] }> {
  const run = await liveRun(deps, principal, runId);
  const results = await readResults(deps, principal.orgId, run);
  if (results === undefined) throw notFound('run');
  if (covers(principal.scope, 'read') || !results.some(tellsExpected)) return { run, results };
  const suite = await deps.suites.find(principal.orgId, run.suite_id);
  return { run, results: suite?.show_expected === true ? results : results.map(withoutExpected) };
}

const tellsExpected = ({ expected_excerpt }: RunResult): boolean => expected_excerpt !== undefined;

/** What cases expect is the bar: only a suite itself shows it to those who may not change it. */
const withoutExpected = ({ expected_excerpt: _, ...result }: RunResult): RunResult => result;

export async function runsOfSuite(
  deps: Deps & WaiverDeps,
  principal: Principal,
  suiteId: string,
  query: PageQuery,
): Promise<Page<ShownRun>> {
  const suite = await liveSuite(deps, principal, suiteId, 'result');
  const head = await deps.suites.head(principal.orgId, suite.slug, suite.project_id);
  if (head?.suiteId !== suite.id) throw notFound('suite');
  const since = retainedSince(principal, deps.now());
  const { items, total } = await deps.runs.page(principal.orgId, head, since, query);
  const shown = await Promise.all(items.map((run) => withWaiver(deps, principal.orgId, run)));
  return { items: shown.map((run) => ({ ...run, suite: named(suite) })), total };
}
