import { LIMIT } from '../../shared/domain/limits.ts';
import { placeName } from '../../shared/domain/revisions/ids.ts';
import type { ProjectChain, SuiteChain } from '../../shared/domain/suites/chains/chains.ts';
import { appendToList, readList } from '../../shared/storage/lists/lists.ts';
import { idField, keysOf } from '../../shared/storage/revisions/revisions.ts';
import { retryOnConflict } from '../../shared/storage/table/backoff.ts';
import {
  PK,
  placeKey,
  projectList,
  purgeKey,
  revisionKey,
  runKey,
  suiteList,
} from '../../shared/storage/table/keys.ts';
import type { Item, Table, Write } from '../../shared/storage/table/table.ts';
import { copyItems, copyPartition, type Tables } from './copy.ts';
import type { Placed } from './places.ts';

export type AnyChain = SuiteChain | ProjectChain;

/** How many items were put back; undefined where another one has the slug. */
export async function restorePlace(
  tables: Tables,
  { chain, head }: Placed<AnyChain>,
): Promise<number | undefined> {
  const { from, to } = tables;
  const { orgId, kind, id } = chain;
  const { partition, head: headKey } = keysOf(chain);
  const isThere = async (item: Item | undefined): Promise<boolean> =>
    item?.n === 0 ||
    (await to.get(revisionKey(partition, Number(item?.n), String(item?.token)))) !== undefined;
  const present = await to.get(headKey);
  if (present !== undefined && present[idField(chain)] !== id) return undefined;
  if (present !== undefined && (await isThere(present))) return 0;
  // As it was when it was deleted, unless a purge has dropped that.
  const due = await to.get(purgeKey(orgId, kind, id));
  const last = due?.head as Item | undefined;
  if (last !== undefined && (await isThere(last))) {
    await putHeadBack(to, chain, { ...last, ...(await afterNewestRun(to, chain, last)) });
    return 1;
  }
  // How far a purge had come then, not now: what comes back is to be purged again.
  await to.delete(purgeKey(orgId, 'texts', id));
  const copied = await copyPartition(tables, partition);
  const beside = await copyItems(tables, [placeKey(orgId, placeName(id)), purgeKey(orgId, 'texts', id)]);
  await putHeadBack(to, chain, (await from.get(headKey)) ?? head);
  return copied + beside + 1;
}

/** With its place in the list; what was to be purged of it is not. */
async function putHeadBack(to: Table, chain: AnyChain, head: Item): Promise<void> {
  const { orgId, kind, id } = chain;
  const list = kind === 'suite' ? suiteList(orgId, chain.projectId) : projectList(orgId);
  const limit = LIMIT[`${kind}s`];
  const put: Record<string, Write> = {
    head: {
      Put: {
        Item: head,
        ConditionExpression: `attribute_not_exists(${PK}) OR ${idField(chain)} = :id`,
        ExpressionAttributeValues: { ':id': id },
      },
    },
    purge: { Delete: { Key: purgeKey(orgId, kind, id) } },
  };
  await retryOnConflict(async () => {
    const listed = await readList(to, list);
    const isListed = listed.includes(id);
    if (!isListed && listed.length >= limit)
      throw new Error(`There are ${limit} ${kind}s: delete some first`);
    const append: Record<string, Write> = isListed ? {} : { list: appendToList(list, id, limit) };
    return (await to.transact({ ...put, ...append })).committed || undefined;
  }, to.backoff);
}

/** A run that was stored while its suite was deleted keeps its number: the next one comes after it. */
async function afterNewestRun(to: Table, chain: AnyChain, { run_count }: Item): Promise<Item> {
  if (chain.kind === 'project') return {};
  const { partition: pk } = keysOf(chain);
  const prefix = runKey(chain.orgId, chain.id, 0).sk.replace(/\d+$/, '');
  const [newest] = await to.query({ pk, prefix }, { newestFirst: true, limit: 1 });
  const number = newest === undefined ? 0 : Number(String(newest.sk).slice(prefix.length));
  if (newest === undefined || number <= Number(run_count)) return {};
  return {
    run_count: number,
    default_run: newest.default_run ?? number,
    last_run_at: newest.ordered_at ?? newest.created_at,
  };
}
