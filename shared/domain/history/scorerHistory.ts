import type { PageQuery } from '../../contracts/base/common.ts';
import type { ChangeEntry } from '../../contracts/history/history.ts';
import { notFound } from '../errors.ts';
import type { Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import type { Member } from '../revisions/blocks.ts';
import { Current } from '../revisions/current.ts';
import { numberIn } from '../revisions/ids.ts';
import { revisionsInForce } from '../revisions/inForce.ts';
import { emptyRevision, type Position } from '../revisions/ports.ts';
import { liveScorer } from '../suites/access/live.ts';
import { type Chains, currentProject, type ProjectChain, projectChain } from '../suites/chains/chains.ts';
import type { ScorerRow } from '../suites/chains/members.ts';
import type { ProjectReader } from '../suites/ports.ts';
import { entryHead } from './changes.ts';
import { scorerChanges } from './members.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly chains: Chains;
}

/**
 * One entry a revision that changed the scorer, the newest first. Its row says which one that was last, and the row before
 * that one says the next.
 */
export async function scorerHistory(
  deps: Deps,
  principal: Principal,
  scorerId: string,
  { page, pageSize }: PageQuery,
): Promise<Page<ChangeEntry>> {
  const { orgId } = principal;
  const { version } = await liveScorer(deps, principal, scorerId, 'full');
  const head = await deps.projects.holding(orgId, scorerId);
  if (head === undefined) throw notFound('scorer');
  const chain = projectChain(orgId, head);
  let member = await (await currentProject(deps.chains, orgId, head)).member(numberIn(scorerId) ?? -1);
  const items: ChangeEntry[] = [];
  let passed = 0;
  for (; member !== undefined && items.length < pageSize; passed++) {
    const change: MadeBy = await madeBy(deps, chain, head.position, member);
    if (passed >= (page - 1) * pageSize) items.push(await change.entry());
    member = change.before;
  }
  // Where it has not come to the end, the version says how often it was changed.
  return { items, total: member === undefined ? passed : Math.max(version, passed + 1) };
}

interface MadeBy {
  readonly before: Member<ScorerRow> | undefined;
  readonly entry: () => Promise<ChangeEntry>;
}

/** The edit that made a scorer what it is. */
async function madeBy(
  { chains: { scorers } }: Deps,
  chain: ProjectChain,
  head: Position,
  after: Member<ScorerRow>,
): Promise<MadeBy> {
  const { number, since } = after;
  const range = { from: Math.max(1, since - 1), to: since };
  const [revision, earlier] = await revisionsInForce(scorers, chain, head, range);
  if (revision === undefined) throw new Error(`Revision ${since} of the project ${chain.id} is gone`);
  const were = new Current(scorers, chain, earlier ?? emptyRevision(revision.fields));
  const before = await were.member(number);
  const sides = { before: were, after: new Current(scorers, chain, revision) };
  return {
    before,
    async entry() {
      const [change] = await scorerChanges(sides, [{ number, before, after }]);
      if (change === undefined) throw new Error('One scorer has one change');
      return { ...entryHead(revision), target: change.target, changes: change.changes };
    },
  };
}
