import { idsOf, readList } from '../../../shared/storage/lists/lists.ts';
import { caseList, type Key, suiteHeadKey, suitePartition } from '../../../shared/storage/table/keys.ts';
import { type PushLog, readLog } from '../../../shared/storage/table/pushes/log.ts';
import { type PushUnderWay, pushIn } from '../../../shared/storage/table/pushes/underWay.ts';
import type { Item, Table } from '../../../shared/storage/table/table.ts';

interface Cases {
  readonly items: readonly Item[];
  /** In their order. */
  readonly ids: readonly string[];
}

interface Place {
  readonly orgId: string;
  readonly suiteId: string;
  readonly push: PushUnderWay | undefined;
}

export const pushUnderWay = async (table: Table, orgId: string, { slug, project_id }: Item) =>
  pushIn(await table.get(suiteHeadKey(orgId, String(slug), String(project_id))));

/** The items of a suite's cases, and what a push that is in force has not written yet. */
export async function casesInForce(table: Table, { orgId, suiteId, push }: Place): Promise<Cases> {
  const pk = suitePartition(orgId, suiteId);
  const items = await table.query({ pk, prefix: 'CASE#' });
  const blocks = await readList(table, caseList(orgId, suiteId));
  const log = push && (await readLog(table, { orgId, suiteId, pushId: push.id }));
  return log === undefined
    ? { items, ids: idsOf(blocks) }
    : { items: itemsAfter(pk, items, log), ids: idsAfter(blocks, log, caseList(orgId, suiteId).prefix) };
}

const skOf = (fields: object): string => (fields as Key).sk;

function itemsAfter(pk: string, items: readonly Item[], { changed, groups }: PushLog): Item[] {
  const after = new Map(items.map((item) => [skOf(item), item]));
  for (const { item } of changed) after.set(skOf(item), item);
  for (const write of groups.flat()) {
    const isCase = 'put' in write && write.put.pk === pk && skOf(write.put).startsWith('CASE#');
    if (isCase) after.set(skOf(write.put), write.put);
    if ('hide' in write) after.delete(write.hide.sk);
  }
  return [...after.values()];
}

function idsAfter(
  blocks: Awaited<ReturnType<typeof readList>>,
  { groups }: PushLog,
  prefix: string,
): string[] {
  const after = new Map(blocks.map(({ number, ids }) => [number, ids]));
  const numberOf = ({ sk }: Key): number => Number(sk.slice(prefix.length));
  for (const write of groups.flat()) {
    if ('block' in write && write.block.sk.startsWith(prefix)) after.set(numberOf(write.block), write.ids);
    if ('drop' in write && write.drop.sk.startsWith(prefix)) after.delete(numberOf(write.drop));
  }
  return [...after].toSorted(([one], [other]) => one - other).flatMap(([, ids]) => ids);
}
