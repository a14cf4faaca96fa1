import { chunksOf } from '../../shared/storage/table/batches.ts';
import { type Key, PK, SK } from '../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';

const ITEMS_AT_ONCE = 20;
const ITEMS_A_PAGE = 200;

/** Two tables: one that was restored to an earlier time, and the one that is in use. */
export interface Tables {
  readonly from: Table;
  readonly to: Table;
  readonly now: () => number;
}

/** What is there is left as it is, unless it was deleted. How many of them were put back. */
async function putBack(to: Table, items: readonly Item[]): Promise<number> {
  const isGone = { ConditionExpression: `attribute_not_exists(${PK}) OR attribute_exists(deleted_at)` };
  let back = 0;
  for (const some of chunksOf(items, ITEMS_AT_ONCE)) {
    const put = some.map((Item) => to.transact({ item: { Put: { Item, ...isGone } } }));
    back += (await Promise.all(put)).filter(({ committed }) => committed).length;
  }
  return back;
}

export async function copyItems({ from, to }: Tables, keys: readonly Key[]): Promise<number> {
  const items = await from.getMany(keys);
  return putBack(
    to,
    items.filter((item) => item !== undefined),
  );
}

/** A pending run would never end: its messages are gone. */
const isCopied = ({ [SK]: sk, status }: Item): boolean =>
  !(String(sk).startsWith('RUN#') && status === 'pending');

/** All items of a partition, page by page. How many of them were put back. */
export async function copyPartition({ from, to }: Tables, pk: string): Promise<number> {
  let back = 0;
  for (let after = '!'; ; ) {
    const items = await from.query({ pk, between: [after, '~'] }, { limit: ITEMS_A_PAGE });
    back += await putBack(to, items.filter(isCopied));
    const last = items.at(-1);
    if (last === undefined || items.length < ITEMS_A_PAGE) return back;
    after = `${last[SK]}!`;
  }
}
