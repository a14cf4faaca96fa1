import {
  type ProjectChain,
  projectChain,
  type SuiteChain,
  suiteChain,
} from '../../shared/domain/suites/chains/chains.ts';
import {
  deletedSuitesFrom,
  organisationKey,
  projectHeadKey,
  suiteHeadsFrom,
} from '../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';

/** A suite or project that there was. */
export interface Placed<C> {
  readonly chain: C;
  readonly head: Item;
}

/** What an organisation had: found by its keys, whatever else is in the table. */
export interface Places {
  readonly projects: readonly Placed<ProjectChain>[];
  readonly suites: readonly Placed<SuiteChain>[];
  /** Deleted before, while their runs existed. */
  readonly deleted: readonly { readonly id: string; readonly projectId: string }[];
}

export async function placesOf(table: Table, orgId: string): Promise<Places> {
  const { pk } = organisationKey(orgId);
  const projects = await table.query({ pk, prefix: projectHeadKey(orgId, '').sk });
  const suites = await table.query(suiteHeadsFrom(orgId));
  const deleted = await table.query(deletedSuitesFrom(orgId));
  const textOf = (item: Item, field: string): string => String(item[field]);
  return {
    projects: projects.map((head) => ({
      head,
      chain: projectChain(orgId, { id: textOf(head, 'id'), slug: textOf(head, 'slug') }),
    })),
    suites: suites.map((head) => ({
      head,
      chain: suiteChain(orgId, {
        suiteId: textOf(head, 'suite_id'),
        slug: textOf(head, 'slug'),
        projectId: textOf(head, 'project_id'),
      }),
    })),
    deleted: deleted.map(({ id, head }) => ({
      id: String(id),
      projectId: textOf(head as Item, 'project_id'),
    })),
  };
}
