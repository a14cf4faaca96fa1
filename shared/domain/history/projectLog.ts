import type { PageQuery } from '../../contracts/base/common.ts';
import type { ChangeEntry } from '../../contracts/history/history.ts';
import { organisationOf } from '../access.ts';
import type { LogReader } from '../changes/log.ts';
import { pageOf } from '../pageOf.ts';
import type { Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { Current } from '../revisions/current.ts';
import { differing } from '../revisions/difference.ts';
import { revisionsInForce } from '../revisions/inForce.ts';
import { emptyRevision } from '../revisions/ports.ts';
import { liveProjectHead } from '../suites/access/live.ts';
import {
  type ProjectChain,
  projectChain,
  type Revisions,
  type StoredProjectRevision,
} from '../suites/chains/chains.ts';
import type { ProjectReader } from '../suites/ports.ts';
import { countsOf, entryHead, MEMBERS_LISTED } from './changes.ts';
import { scorerChanges } from './members.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly chains: Pick<Revisions, 'scorers'>;
  readonly changeLog: LogReader;
}

/** What has no project, and what was bound to none. */
export async function organisationLog(
  { changeLog }: Pick<Deps, 'changeLog'>,
  principal: Principal,
  query: PageQuery,
): Promise<Page<ChangeEntry>> {
  return pageOf(await changeLog.all(organisationOf(principal, 'log'), null), query);
}

/** One entry for each revision of the scorers, and what is logged beside them, the newest first. */
export async function projectLog(
  { projects, chains, changeLog }: Deps,
  principal: Principal,
  slug: string,
  { page, pageSize }: PageQuery,
): Promise<Page<ChangeEntry>> {
  const { orgId } = principal;
  const head = await liveProjectHead({ projects }, principal, slug, 'full');
  const chain = projectChain(orgId, head);
  const { n } = head.position;
  const beside = await changeLog.all(orgId, head.id);
  const [start, end] = [(page - 1) * pageSize, page * pageSize];
  // Each of the first entries is of a revision, but for those that are logged beside: earlier pages hold all of `passed`.
  const passed = Math.min(n, Math.max(0, start - beside.length));
  const range = { from: Math.max(1, n - end + 1), to: n - passed };
  const revisions = await revisionsInForce(chains.scorers, chain, head.position, {
    ...range,
    from: Math.max(1, range.from - 1),
  });
  const edits = revisions
    .filter((revision) => revision.n >= range.from)
    .map((revision, index) => ({
      at: revision.at,
      entry: () => entryOf(chains, chain, revision, revisions[index + 1]),
    }));
  const all = [...edits, ...beside.map((entry) => ({ at: entry.at, entry: async () => entry }))];
  const some = all
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(start - passed, end - passed);
  return { items: await Promise.all(some.map(({ entry }) => entry())), total: n + beside.length };
}

/** `earlier`: undefined for the first revision. */
async function entryOf(
  { scorers }: Deps['chains'],
  chain: ProjectChain,
  revision: StoredProjectRevision,
  earlier: StoredProjectRevision | undefined,
): Promise<ChangeEntry> {
  const sides = {
    before: new Current(scorers, chain, earlier ?? emptyRevision(revision.fields)),
    after: new Current(scorers, chain, revision),
  };
  const all = await differing(sides.before, sides.after);
  const first = await scorerChanges(sides, all.slice(0, MEMBERS_LISTED));
  const [only, ...otherChanges] = first;
  if (only !== undefined && otherChanges.length === 0)
    return { ...entryHead(revision), target: only.target, changes: only.changes };
  const target = { type: 'project', id: chain.id, key: chain.slug } as const;
  return { ...entryHead(revision), target, changes: {}, members: { ...countsOf(all), first } };
}
