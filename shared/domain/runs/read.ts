import type { PageQuery } from '../../contracts/base/common.ts';
import type { QueryOf } from '../../contracts/base/contract.ts';
import { covers } from '../../contracts/base/scopes.ts';
import type { RunResult } from '../../contracts/results/results.ts';
import type { listRuns, Run, ShownRun } from '../../contracts/runs.ts';
import { notFound } from '../errors.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';
import { liveSuite, projectOpen } from '../suites/access/live.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { StoredSuite, SuiteHead } from '../suites/stored.ts';
import { branchName, isDefault, originOf, pullNumber } from './origin.ts';
import type { RunReader, StoredRun } from './ports.ts';
import { type ReadDeps, readResults } from './results/readResults.ts';
import { redacted, refuseHidden } from './results/redacted.ts';
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
  const run = redacted(await liveRun(deps, principal, runId), principal);
  const suite = await deps.suites.find(principal.orgId, run.suite_id);
  const shown = { ...run, ...originOf(run, suite?.default_ref) };
  if (suite === undefined) return { ...shown, suite: null };
  return { ...(await withWaiver(deps, principal.orgId, shown)), suite: named(suite) };
}

const named = ({ slug, name, project_slug }: StoredSuite) => ({ slug, name, project_slug });

/** In the order of the cases. */
export async function runResults(
  deps: Omit<Deps, 'suites'> & WithSuites & ReadDeps,
  principal: Principal,
  runId: string,
): Promise<{ readonly run: StoredRun; readonly results: RunResult[] }> {
  const run = await liveRun(deps, principal, runId);
  refuseHidden(run, principal);
  const results = await readResults(deps, principal.orgId, run);
  if (results === undefined) throw notFound('run');
  if (covers(principal.scope, 'read') || !results.some(tellsExpected)) return { run, results };
  const suite = await deps.suites.find(principal.orgId, run.suite_id);
  return { run, results: suite?.show_expected === true ? results : results.map(withoutExpected) };
}

const tellsExpected = ({ expected_excerpt }: RunResult): boolean => expected_excerpt !== undefined;

/** What cases expect is the bar: only a suite itself shows it to those who may not change it. */
const withoutExpected = ({ expected_excerpt: _, ...result }: RunResult): RunResult => result;

interface RequestedRuns {
  /** Older runs are past the plan's retention. */
  readonly since: string;
  readonly isRequested: (run: Pick<Run, 'created_by' | 'trigger_meta'>) => boolean;
  readonly query: PageQuery;
}

export interface FilteredRuns extends Page<StoredRun> {
  /** Whether there are older ones that were not looked through. */
  readonly truncated: boolean;
}

export interface FilteredRunStore {
  filtered(orgId: string, head: SuiteHead, requested: RequestedRuns): Promise<FilteredRuns>;
}

type ListQuery = QueryOf<typeof listRuns>;

export async function runsOfSuite(
  deps: Deps & WaiverDeps & { readonly filteredRuns: FilteredRunStore },
  principal: Principal,
  suiteId: string,
  query: ListQuery,
): Promise<Page<ShownRun> & Partial<Pick<FilteredRuns, 'truncated'>>> {
  const { orgId } = principal;
  const suite = await liveSuite(deps, principal, suiteId, 'result');
  const head = await deps.suites.head(orgId, suite.slug, suite.project_id);
  if (head?.suiteId !== suite.id) throw notFound('suite');
  const since = retainedSince(principal, deps.now());
  const isRequested = filterOf(query, suite.default_ref);
  const page = await (isRequested === undefined
    ? deps.runs.page(orgId, head, since, query)
    : deps.filteredRuns.filtered(orgId, head, { since, isRequested, query }));
  const items = page.items.map(async (run) => ({
    ...(await withWaiver(deps, orgId, redacted(run, principal))),
    ...originOf(run, suite.default_ref),
    suite: named(suite),
  }));
  return { ...page, items: await Promise.all(items) };
}

/** Undefined: all runs. */
function filterOf(
  { branch, pull_request }: ListQuery,
  defaultRef: string | undefined,
): RequestedRuns['isRequested'] | undefined {
  if (branch === undefined && pull_request === undefined) return undefined;
  const requested = { branch: branchName(branch), pull_request: pullNumber(pull_request) };
  const isOfDefault = isDefault(requested.branch, defaultRef);
  return (run) => {
    const origin = originOf(run, defaultRef);
    if (requested.pull_request !== null) return origin.pull_request === requested.pull_request;
    // A run that names nothing has no branch, and counts as the default one's.
    return (
      origin.branch === requested.branch ||
      (isOfDefault && origin.branch === null && origin.is_default_branch)
    );
  };
}
