import type { Purge } from '../domain/purge/ports.ts';
import {
  casePointerKey,
  deletedSuites,
  type Key,
  projectPartition,
  SK,
  scorerKey,
  scorerList,
  suiteHeadKey,
  suiteList,
  suitePartition,
} from './keys.ts';
import { idsOf, readList } from './lists.ts';
import type { Item, Table } from './table.ts';

/** A range of items to purge. */
export interface Place {
  /** Places are walked in the order of their names, whatever comes to be there or goes meanwhile. */
  readonly name: string;
  readonly pk: string;
  readonly between: readonly [from: string, to: string];
  readonly suiteId: string | null;
}

/** Keys begin with capital letters. */
const EVERYTHING = ['!', '~'] as const;

const place = (pk: string, between: Place['between'], suiteId: string | null = null): Place => ({
  name: `${pk} ${between[0]}`,
  pk,
  between,
  suiteId,
});

/** Everything of a project, its suites deleted before included; of a suite its cases, for its runs outlive it. */
export async function placesOf(table: Table, purge: Purge): Promise<Place[]> {
  const places = purge.kind === 'suite' ? casesOf(purge) : await allOf(table, purge);
  return places.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function casesOf({ orgId, id }: Purge): Place[] {
  const pk = suitePartition(orgId, id);
  return [place(pk, ['CASE#', 'CASE$'], id), place(pk, ['LIST#', 'LIST$'], id)];
}

async function allOf(table: Table, { orgId, id }: Purge): Promise<Place[]> {
  const [suites, deleted, scorers] = await Promise.all([
    readList(table, suiteList(orgId, id)),
    table.query(deletedSuites(orgId)),
    readList(table, scorerList(orgId, id)),
  ]);
  const before = deleted.filter(({ project_id }) => project_id === id);
  const suiteIds = new Set([...idsOf(suites), ...before.map(({ suite_id }) => String(suite_id))]);
  return [
    ...[...suiteIds].map((suiteId) => place(suitePartition(orgId, suiteId), EVERYTHING, suiteId)),
    ...before.map(({ pk, sk }) => place(String(pk), [String(sk), `${sk}~`])),
    ...idsOf(scorers).map((scorerId) => place(scorerKey(orgId, scorerId).pk, EVERYTHING)),
    place(projectPartition(orgId, id), EVERYTHING),
  ];
}

/** What lies elsewhere for an item of a suite: the way to a case from its id, and the head of a suite. */
export function itemsBeside(orgId: string, suiteId: string | null, item: Item): Key[] {
  const sk = String(item[SK]);
  const [, caseId = ''] = /^CASE#([^#]+)$/.exec(sk) ?? [];
  if (suiteId !== null && caseId !== '') return [casePointerKey(orgId, caseId)];
  if (sk === 'SUITE') return [suiteHeadKey(orgId, String(item.slug), String(item.project_id))];
  return [];
}
