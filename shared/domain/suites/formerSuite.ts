import { jobOf, type Principal } from '../principal.ts';
import { DELETED_KEPT_MS } from '../purge/kept.ts';
import { Current } from '../revisions/current.ts';
import { requireMayWrite } from './access/writes.ts';
import { type CurrentSuite, type Revisions, suiteChain } from './chains/chains.ts';
import type { DeletedSuite, ProjectReader, SuiteReader } from './ports.ts';
import type { PushedSuite } from './pushed.ts';

interface Deps {
  readonly suites: Pick<SuiteReader, 'deletedUnder'>;
  readonly chains: Pick<Revisions, 'cases'>;
  readonly now: () => number;
}

/** A suite that was deleted, as it was then. */
export interface FormerSuite {
  readonly deleted: DeletedSuite;
  readonly present: CurrentSuite;
}

/**
 * The suite that a new one of its slug takes the place of: it is compared with that one, as if nothing had been deleted.
 * One that never had a case held nothing up. After 30 days the texts are dropped, and there is nothing to compare with.
 */
export async function formerSuite(
  { suites, chains: { cases }, now }: Deps,
  orgId: string,
  place: { readonly slug: string; readonly projectId: string },
): Promise<FormerSuite | undefined> {
  const all = await suites.deletedUnder(orgId, place);
  const recent = all.filter(({ at }) => Date.parse(at) > now() - DELETED_KEPT_MS);
  const chains = recent.map(({ head }) => ({ chain: suiteChain(orgId, head), at: head.position }));
  const revisions = await cases.revisions(chains);
  const last = revisions.findIndex((revision) => revision !== undefined && revision.lastNumber > 0);
  const [deleted, chain, revision] = [recent[last], chains[last]?.chain, revisions[last]];
  if (deleted === undefined || chain === undefined || revision === undefined) return undefined;
  return { deleted, present: new Current(cases, chain, revision) };
}

/** Making a suite anew is as much as changing it. */
export async function inheritReplaced(
  deps: Deps & { readonly projects: ProjectReader },
  principal: Principal,
  place: { readonly slug: string; readonly projectId: string },
): Promise<Pick<PushedSuite, 'owner' | 'newest_job'>> {
  const former = await formerSuite(deps, principal.orgId, place);
  if (former === undefined) return {};
  const { suite } = former.present.revision.fields;
  await requireMayWrite(deps, principal, { project_id: place.projectId, suite });
  return inheritedFrom(former, principal);
}

/** An API key may give a suite to another repository: it makes it without an owner. */
export function inheritedFrom(
  { present }: FormerSuite,
  principal: Principal,
): Pick<PushedSuite, 'owner' | 'newest_job'> {
  const { owner, newest_job } = present.revision.fields.suite;
  return { newest_job, ...(jobOf(principal) !== undefined && { owner }) };
}
