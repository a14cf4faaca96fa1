import { chunksOf } from '../../shared/storage/table/batches.ts';
import { PK, SK, TTL } from '../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';

const ITEMS_AT_ONCE = 20;
const ITEMS_A_PAGE = 200;

/** Two tables: one that was restored to an earlier time, and the one that is in use. */
export interface Tables {
  readonly from: Table;
  readonly to: Table;
}

/** What is there is left as it is, unless it was deleted, or is to expire sooner than it was then. */
function isGone({ [TTL]: expiresAt }: Item) {
  const missing = `attribute_not_exists(${PK}) OR attribute_exists(deleted_at)`;
  if (typeof expiresAt !== 'number') return { ConditionExpression: `${missing} OR attribute_exists(${TTL})` };
  return {
    ConditionExpression: `${missing} OR ${TTL} < :expires`,
    ExpressionAttributeValues: { ':expires': expiresAt },
  };
}

/** False when it is there already; then with the item that is. */
export async function putBack(to: Table, item: Item): Promise<{ isBack: boolean; there?: Item | undefined }> {
  const outcome = await to.transact({ item: { Put: { Item: item, ...isGone(item) } } });
  return outcome.committed ? { isBack: true } : { isBack: false, there: outcome.failed.get('item') };
}

/** How many of them were put back. */
export async function putAllBack(to: Table, items: readonly Item[]): Promise<number> {
  let back = 0;
  for (const some of chunksOf(items, ITEMS_AT_ONCE)) {
    const answers = await Promise.all(some.map((item) => putBack(to, item)));
    back += answers.filter(({ isBack }) => isBack).length;
  }
  return back;
}

/** Lists and keys are put together anew. A pending run would never end: its messages are gone. */
const isCopied = (item: Item): boolean =>
  !/^(LIST|KEY)#/.test(String(item[SK])) &&
  !(String(item[SK]).startsWith('RUN#') && item.status === 'pending');

/** All items of a partition, page by page. How many of them were put back. */
export async function copyPartition({ from, to }: Tables, pk: string): Promise<number> {
  let back = 0;
  let after = '!';
  for (;;) {
    const items = await from.query({ pk, between: [after, '~'] }, { limit: ITEMS_A_PAGE });
    back += await putAllBack(to, items.filter(isCopied));
    const last = items.at(-1);
    if (last === undefined || items.length < ITEMS_A_PAGE) return back;
    after = `${last[SK]}!`;
  }
}
