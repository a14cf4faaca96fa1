import { idsOf, readList } from '../../shared/storage/lists/lists.ts';
import {
  projectPartition,
  SK,
  scorerKey,
  scorerList,
  suitePartition,
} from '../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';

const KEY_SK = /^KEY#(.*)$/;

/** What is wrong with who has which key, if anything. `resources`: all that may have one there. */
function faultOf(held: readonly Item[], resources: readonly Item[], idField: string): string | undefined {
  const keyed = resources.filter(({ id, key }) => key !== undefined && key !== id);
  const wanted = keyed.map(({ id, key }) => `${key} is of ${id}`).sort();
  const stored = held.map((item) => `${KEY_SK.exec(String(item[SK]))?.[1]} is of ${item[idField]}`).sort();
  if (wanted.join() === stored.join()) return undefined;
  return `the items of keys say ${stored}, and their resources ${wanted}`;
}

/** Every key that a case says it has is its own, and no other key is taken. */
export async function faultOfCaseKeys(
  table: Table,
  { orgId, suiteId }: { readonly orgId: string; readonly suiteId: string },
): Promise<string | undefined> {
  const pk = suitePartition(orgId, suiteId);
  const cases = await table.query({ pk, prefix: 'CASE#' });
  const mains = cases.filter((item) => /^CASE#[^#]+$/.test(String(item[SK])));
  return faultOf(await table.query({ pk, prefix: 'KEY#' }), mains, 'case_id');
}

/** The same of a project's scorers. */
export async function faultOfScorerKeys(
  table: Table,
  { orgId, projectId }: { readonly orgId: string; readonly projectId: string },
): Promise<string | undefined> {
  const ids = idsOf(await readList(table, scorerList(orgId, projectId)));
  const scorers = await table.getMany(ids.map((id) => scorerKey(orgId, id)));
  const held = await table.query({ pk: projectPartition(orgId, projectId), prefix: 'KEY#' });
  return faultOf(
    held,
    scorers.filter((item) => item !== undefined),
    'scorer_id',
  );
}
