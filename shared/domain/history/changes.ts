import type { PageQuery } from '../../contracts/base/common.ts';
import type { ChangeEntry } from '../../contracts/history/history.ts';
import { changesBetween, type FieldChanges, shown } from '../changes/fields.ts';
import type { Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { Current } from '../revisions/current.ts';
import { type Differing, differing } from '../revisions/difference.ts';
import { baselineId } from '../revisions/ids.ts';
import { revisionsInForce } from '../revisions/inForce.ts';
import { type Act, emptyRevision, type Revision } from '../revisions/ports.ts';
import {
  type CurrentSuite,
  type ProjectChain,
  projectChain,
  type Revisions,
  type StoredSuiteRevision,
  type SuiteChain,
  suiteChain,
} from '../suites/chains/chains.ts';
import type { CaseRow } from '../suites/chains/members.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { StoredSuite } from '../suites/stored.ts';
import { caseChanges, type MemberChange, scorerChanges } from './members.ts';
import { orderChange } from './order.ts';
import { suiteWithHistory } from './suiteWithHistory.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Revisions;
}

/** What of a suite is no change: by whom and when says the entry. */
const UNSEEN: ReadonlySet<string> = new Set<keyof StoredSuite>([
  ...(['id', 'project_id', 'project_slug', 'version', 'created_at', 'updated_at'] as const),
  ...(['last_push', 'pushed', 'newest_job', 'default_ref', 'waived_until'] as const),
]);

export const MEMBERS_LISTED = 100;
const ENTRIES_AT_ONCE = 10;

/** One entry a revision, the newest first; before them the deletion. */
export async function suiteChanges(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  { page, pageSize }: PageQuery,
): Promise<Page<ChangeEntry>> {
  const { orgId } = principal;
  const { head, revision, project, deletion } = await suiteWithHistory(deps, principal, suiteId);
  const all = head.position.n + deletion.length;
  const [start, end] = [(page - 1) * pageSize, page * pageSize];
  const items: ChangeEntry[] = deletion.slice(start, end);
  const to = Math.min(head.position.n, all - start);
  const from = Math.max(1, all - end + 1);
  const chain = suiteChain(orgId, head);
  const now = new Current(
    deps.chains.cases,
    chain,
    // Of a deleted suite all cases are deleted.
    deletion.length > 0 ? emptyRevision(revision.fields) : revision,
  );
  const reading = {
    deps,
    chain,
    now,
    project: { chain: projectChain(orgId, project), head: project.position },
  };
  const range = { from: Math.max(1, from - 1), to };
  const revisions = await revisionsInForce(deps.chains.cases, chain, head.position, range);
  const requested = revisions.filter(({ n }) => n >= from);
  for (let start = 0; start < requested.length; start += ENTRIES_AT_ONCE) {
    const some = requested.slice(start, start + ENTRIES_AT_ONCE);
    items.push(
      ...(await Promise.all(
        some.map((after, index) => entryOf(reading, after, revisions[start + index + 1])),
      )),
    );
  }
  return { items, total: all };
}

interface Reading {
  readonly deps: Deps;
  readonly chain: SuiteChain;
  readonly now: CurrentSuite;
  readonly project: {
    readonly chain: ProjectChain;
    readonly head: Revision<unknown> | { n: number; token: string };
  };
}

/** `earlier`: undefined for the first revision. */
async function entryOf(
  reading: Reading,
  revision: StoredSuiteRevision,
  earlier: StoredSuiteRevision | undefined,
): Promise<ChangeEntry> {
  const { deps, chain } = reading;
  const currentAt = (revisionOfSide: StoredSuiteRevision) =>
    new Current(deps.chains.cases, chain, revisionOfSide);
  const sides = {
    before: currentAt(earlier ?? emptyRevision(revision.fields)),
    after: currentAt(revision),
  };
  const { act } = revision;
  const cases = await differing(sides.before, sides.after);
  const changesOfSuite = {
    ...suiteFields(earlier, revision),
    ...(await orderChange(sides, cases)),
    ...act.changes,
  };
  if (act.target.type === 'case') {
    const [change] = await changesOf(reading, sides, cases);
    if (change !== undefined)
      return { ...entryHead(revision), target: change.target, changes: change.changes };
  }
  const members = await membersOf(reading, { sides, cases, act, token: revision.token });
  return {
    ...entryHead(revision),
    target: targetOf(revision.fields.suite, act),
    changes: changesOfSuite,
    ...(members && { members }),
  };
}

export const entryHead = ({ token, at: createdAt, by, act: { action } }: Revision<unknown>) => ({
  id: token,
  at: createdAt,
  by,
  action,
});

const targetOf = ({ id, slug, name }: StoredSuite, { target }: Act): ChangeEntry['target'] =>
  'id' in target ? target : { type: 'suite', id, key: slug, name };

function suiteFields(earlier: StoredSuiteRevision | undefined, revision: StoredSuiteRevision): FieldChanges {
  const [before, after] = [earlier && seenOf(earlier), seenOf(revision)];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])];
  return Object.fromEntries(
    Object.entries(changesBetween(names, before, after)).map(([name, { from, to }]) => [
      name,
      { from: shown(from, false), to: shown(to, false) },
    ]),
  );
}

function seenOf({ fields: { suite } }: StoredSuiteRevision): Record<string, unknown> {
  const { current = null } = suite.baseline ?? {};
  const seen = Object.entries(suite).filter(([name]) => !UNSEEN.has(name));
  return { ...Object.fromEntries(seen), baseline: current && baselineId(suite.id, current) };
}

interface Edited {
  readonly sides: { readonly before: CurrentSuite; readonly after: CurrentSuite };
  readonly cases: readonly Differing<CaseRow>[];
  readonly act: Act;
  readonly token: string;
}

/** Undefined where the edit has touched the suite itself alone. */
async function membersOf(reading: Reading, edited: Edited): Promise<ChangeEntry['members']> {
  const { sides, cases, act } = edited;
  const scorers = act.scorers === undefined ? undefined : await scorersOf(reading, act.scorers);
  const differingScorers = scorers?.differing ?? [];
  if (cases.length + differingScorers.length === 0) return undefined;
  const first = await changesOf(reading, sides, cases.slice(0, MEMBERS_LISTED));
  const room = MEMBERS_LISTED - first.length;
  if (scorers !== undefined)
    first.push(...(await scorerChanges(scorers.sides, differingScorers.slice(0, room))));
  return { ...countsOf([...cases, ...differingScorers]), first };
}

export function countsOf(members: readonly Differing<unknown>[]) {
  const created = members.filter(({ before }) => before === undefined).length;
  const deleted = members.filter(({ after }) => after === undefined).length;
  return { created, updated: members.length - created - deleted, deleted };
}

async function changesOf(
  { now }: Reading,
  sides: Edited['sides'],
  cases: readonly Differing<CaseRow>[],
): Promise<MemberChange[]> {
  const members = await Promise.all(cases.map(({ number }) => now.member(number)));
  const gone = cases.filter((_, index) => members[index] === undefined);
  return caseChanges(sides, cases, new Set(gone.map(({ number }) => number)));
}

/** The project's revision that was put in force with one of the suite. */
async function scorersOf({ deps: { chains }, project }: Reading, n: number) {
  const range = { from: Math.max(1, n - 1), to: n };
  const [after, before] = await revisionsInForce(chains.scorers, project.chain, project.head, range);
  if (after === undefined) throw new Error(`Revision ${n} of the project ${project.chain.id} is gone`);
  const currentAt = (revision: typeof after) => new Current(chains.scorers, project.chain, revision);
  const sides = { before: currentAt(before ?? emptyRevision(after.fields)), after: currentAt(after) };
  return { sides, differing: await differing(sides.before, sides.after) };
}
