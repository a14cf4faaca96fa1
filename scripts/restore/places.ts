import { idsOf, readList } from '../../shared/storage/lists/lists.ts';
import {
  casePointerKey,
  type Key,
  organisationKey,
  projectHeadKey,
  SK,
  scorerList,
  suitesOfRuns,
} from '../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';

export interface StoredHead {
  readonly key: Key;
  readonly id: string;
  readonly item: Item;
}

/** What an organisation had: found by its keys, whatever else is in the table. */
export interface Places {
  readonly projects: readonly (StoredHead & { readonly scorerIds: readonly string[] })[];
  /** Alive then: `projectId` names one of the projects. */
  readonly suites: readonly (StoredHead & { readonly projectId: string })[];
  /** Deleted before, while their runs existed. */
  readonly deletedSuiteIds: readonly string[];
  readonly casePointers: readonly Item[];
}

const headOf = (item: Item, idField: 'id' | 'suite_id'): StoredHead => ({
  key: { pk: String(item.pk), sk: String(item.sk) },
  id: String(item[idField]),
  item,
});

export async function placesOf(table: Table, orgId: string): Promise<Places> {
  const { pk } = organisationKey(orgId);
  const heads = await table.query({ pk, prefix: projectHeadKey(orgId, '').sk });
  const projects = heads.map(async (item) => {
    const head = headOf(item, 'id');
    return { ...head, scorerIds: idsOf(await readList(table, scorerList(orgId, head.id))) };
  });
  const ofRuns = await table.query(suitesOfRuns(orgId, null, { inclusive: true }));
  const [suites, deleted] = [true, false].map((isAlive) =>
    ofRuns.filter((item) => String(item[SK]).startsWith('SUITE#') === isAlive),
  );
  return {
    projects: await Promise.all(projects),
    suites: (suites ?? []).map((item) => ({
      ...headOf(item, 'suite_id'),
      projectId: String(item.project_id),
    })),
    deletedSuiteIds: (deleted ?? []).map(({ suite_id }) => String(suite_id)),
    casePointers: await table.query({ pk, prefix: casePointerKey(orgId, '').sk }),
  };
}
