import { covers } from '../../contracts/base/scopes.ts';
import type { LatestRun, Suite } from '../../contracts/suites.ts';
import type { Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';

export interface LatestRunStore {
  /** The newest run of a suite; null when none was created at this moment or later. */
  latest(orgId: string, suiteId: string, since: string): Promise<LatestRun | null>;
}

interface Deps {
  readonly latestRuns: LatestRunStore;
  readonly now: () => number;
}

type WithLatestRun<S> = S & { readonly latest_run: LatestRun | null };

/**
 * `suite` is one that the principal was found to have. Credentials that may not read the bar get no description: it may
 * say what good answers are.
 */
export async function withLatestRun<S extends Suite>(
  { latestRuns, now }: Deps,
  principal: Principal,
  suite: S,
): Promise<WithLatestRun<S>> {
  const since = retainedSince(principal, now());
  const description = covers(principal.scope, 'read') ? suite.description : null;
  return { ...suite, description, latest_run: await latestRuns.latest(principal.orgId, suite.id, since) };
}

export async function withLatestRuns<S extends Suite>(
  deps: Deps,
  principal: Principal,
  { items, total }: Page<S>,
): Promise<Page<WithLatestRun<S>>> {
  return { items: await Promise.all(items.map((suite) => withLatestRun(deps, principal, suite))), total };
}

/** As it is created. */
export const withoutRun = <S extends Suite>(suite: S): WithLatestRun<S> => ({ ...suite, latest_run: null });
