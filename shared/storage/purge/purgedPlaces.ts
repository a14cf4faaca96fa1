import type { Purge } from '../../domain/purge/ports.ts';
import { idsOf, readList } from '../lists/lists.ts';
import { tombstoneExpiry } from '../table/documents.ts';
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
  textsOfCases,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

export interface Place {
  /** Places are walked in the order of their names, so that the walk can go on after items came or went. */
  readonly name: string;
  /** Whether other places are found through this one. Such places are walked last. */
  readonly isWay: boolean;
  readonly pk: string;
  readonly between: readonly [from: string, to: string];
  readonly suiteId: string | null;
  /** When its items expire, in seconds since 1970. */
  readonly until: number;
  /** Whether the expiry is fixed. An upgrade prolongs other items that runs need, even deleted ones. */
  readonly isFinal: boolean;
}

/** Keys begin with capital letters. */
export const EVERYTHING = ['!', '~'] as const;

type PlaceFields = Pick<Place, 'pk' | 'between' | 'until'> &
  Partial<Pick<Place, 'isWay' | 'suiteId' | 'isFinal'>>;

const place = ({ isWay = false, suiteId = null, isFinal = false, ...fields }: PlaceFields): Place => ({
  name: `${isWay ? 2 : 1} ${fields.pk} ${fields.between[0]}`,
  isWay,
  suiteId,
  isFinal,
  ...fields,
});

/** All of a project, with suites deleted before; of a suite only its cases, since its runs are kept. */
export async function placesOf(table: Table, purge: Purge): Promise<Place[]> {
  const places = purge.kind === 'project' ? await allOf(table, purge) : placesOfSuite(purge);
  return places.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function placesOfSuite({ kind, orgId, id, deletedAt }: Purge): Place[] {
  const until = tombstoneExpiry(deletedAt);
  const texts = place({ ...textsOfCases(orgId, id), until, isFinal: true });
  if (kind === 'texts') return [texts];
  const cases = { pk: suitePartition(orgId, id), suiteId: id, until };
  return [
    place({ ...cases, between: ['CASE#', 'CASE$'] }),
    place({ ...cases, between: ['KEY#', 'KEY$'] }),
    place({ ...cases, between: ['LIST#', 'LIST$'] }),
    texts,
  ];
}

async function allOf(table: Table, { orgId, id, deletedAt }: Purge): Promise<Place[]> {
  const [suites, deleted, scorers] = await Promise.all([
    readList(table, suiteList(orgId, id)),
    table.query(deletedSuites(orgId)),
    readList(table, scorerList(orgId, id)),
  ]);
  const before = deleted.filter(({ project_id }) => project_id === id);
  const suiteIds = [...new Set([...idsOf(suites), ...before.map(({ suite_id }) => String(suite_id))])];
  const until = tombstoneExpiry(deletedAt);
  const all = (pk: string) => ({ pk, between: EVERYTHING, until });
  return [
    ...suiteIds.map((suiteId) => place({ ...all(suitePartition(orgId, suiteId)), suiteId })),
    ...idsOf(scorers).map((scorerId) => place(all(scorerKey(orgId, scorerId).pk))),
    ...before.map(({ pk, sk }) =>
      place({ pk: String(pk), between: [String(sk), `${sk}~`], until, isWay: true }),
    ),
    place({ ...all(projectPartition(orgId, id)), isWay: true }),
  ];
}

/** Items elsewhere that belong to an item of a suite: the pointer of a case, the head of a suite. */
export function itemsBeside(orgId: string, suiteId: string | null, item: Item): Key[] {
  const sk = String(item[SK]);
  const [, caseId = ''] = /^CASE#([^#]+)$/.exec(sk) ?? [];
  if (suiteId !== null && caseId !== '') return [casePointerKey(orgId, caseId)];
  if (sk === 'SUITE') return [suiteHeadKey(orgId, String(item.slug), String(item.project_id))];
  return [];
}
