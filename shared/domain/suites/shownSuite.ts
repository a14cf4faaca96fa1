import type * as z from 'zod';
import { covers } from '../../contracts/base/scopes.ts';
import type { LatestRun, shownSuiteSchema } from '../../contracts/suites.ts';
import type { Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';
import { baselineId } from '../revisions/ids.ts';
import type { StoredSuite } from './stored.ts';

export interface LatestRunStore {
  /**
   * The default branch's newest run of those that were created at this moment or later; without one the newest of any;
   * null without any.
   */
  latest(
    orgId: string,
    suite: Pick<StoredSuite, 'id' | 'default_ref'>,
    since: string,
  ): Promise<LatestRun | null>;
}

interface Deps {
  readonly latestRuns: LatestRunStore;
  readonly now: () => number;
}

type ShownSuite = z.infer<typeof shownSuiteSchema>;

/**
 * `suite` is one that the principal was found to have. Credentials that may not read the bar get no description: it may
 * say what good answers are.
 */
export async function shownSuite<S extends StoredSuite>(
  { latestRuns, now }: Deps,
  principal: Principal,
  suite: S,
): Promise<S & ShownSuite> {
  const since = retainedSince(principal, now());
  const description = covers(principal.scope, 'read') ? suite.description : null;
  const latest_run = await latestRuns.latest(principal.orgId, suite, since);
  return { ...newSuite(suite), description, latest_run };
}

export async function shownSuites(
  deps: Deps,
  principal: Principal,
  { items, total }: Page<StoredSuite>,
): Promise<Page<ShownSuite>> {
  return { items: await Promise.all(items.map((suite) => shownSuite(deps, principal, suite))), total };
}

/** As it is created: it has no run. */
export function newSuite<S extends StoredSuite>(suite: S): S & ShownSuite {
  const { id, baseline, last_push = null } = suite;
  const current = baseline?.current ?? null;
  return { ...suite, latest_run: null, baseline_id: current && baselineId(id, current), last_push };
}
