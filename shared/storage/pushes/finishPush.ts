import { blockItem } from '../lists/lists.ts';
import { expireLater, tombstoneExpiry } from '../table/documents.ts';
import { PK, SK, TTL } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { dropLog, type PushLog, readLog } from './log.ts';
import { endsOf, type PushUnderWay, whileUnderWay } from './underWay.ts';

/** Beside the condition that the push is under way. */
const WRITES_MAX = 99;
/** A transaction holds 4 MB. */
const BYTES_MAX = 3_000_000;
/** Up to so many are written one by one, which costs half as much as in transactions but takes a request each. */
const SINGLES_MAX = 2_000;
const SINGLES_AT_ONCE = 50;

/**
 * Writes out what a push has put in force, and ends it. Any number of functions may do so at once, and each may stop or
 * go on at any time: nothing is written after the push has ended, and nothing over what was written since.
 */
export async function finishPush(table: Table, push: PushUnderWay): Promise<void> {
  const place = { orgId: push.org_id, suiteId: push.suite_id, pushId: push.id };
  const log = await readLog(table, place);
  if (log === undefined) return;
  const areSingles = log.changed.length <= SINGLES_MAX;
  if (areSingles) await writeChanged(table, log.changed);
  const writes = [...(areSingles ? [] : log.changed.map(({ item }) => put(item))), ...writesOf(log)];
  for (const batch of batchesOf(writes)) {
    const named = batch.map((write, index) => [`write${index}`, write] as const);
    const outcome = await table.transact<string>({ push: whileUnderWay(push), ...Object.fromEntries(named) });
    // Another function has finished it.
    if (!outcome.committed) return;
  }
  await table.transact(endsOf(push));
  await dropLog(table, place);
}

const put = (Item: Item): Write => ({ Put: { Item } });

const writesOf = ({ made, listed, deleted, expiring, deletedAt, dropped }: PushLog): Write[] => [
  ...made.map(put),
  ...listed.map(([block, ids]) => put(blockItem(block, ids))),
  ...deleted.map(
    (Key): Write => ({
      Update: {
        Key,
        UpdateExpression: `SET deleted_at = :at, ${TTL} = :ttl`,
        ExpressionAttributeValues: { ':at': deletedAt, ':ttl': tombstoneExpiry(deletedAt) },
      },
    }),
  ),
  ...expiring.map((key) => expireLater(key, deletedAt)),
  ...dropped.map((Key): Write => ({ Delete: { Key } })),
];

function batchesOf(writes: readonly Write[]): Write[][] {
  const batches: Write[][] = [];
  let bytes = BYTES_MAX;
  for (const write of writes) {
    const size = Buffer.byteLength(JSON.stringify(write));
    const last = batches.at(-1);
    const fits = last !== undefined && last.length < WRITES_MAX && bytes + size <= BYTES_MAX;
    if (fits) last.push(write);
    else batches.push([write]);
    bytes = fits ? bytes + size : size;
  }
  return batches;
}

async function writeChanged(table: Table, changed: PushLog['changed']): Promise<void> {
  const open = changed.values();
  const writeNext = async () => {
    for (const { item, version } of open) await writeOver(table, item, version);
  };
  await Promise.all(Array.from({ length: SINGLES_AT_ONCE }, writeNext));
}

/** Nothing, where it is written already or was changed since. */
async function writeOver(
  table: Table,
  { [PK]: pk, [SK]: sk, ...fields }: Item,
  version: number,
): Promise<void> {
  const entries = Object.entries(fields);
  await table.update({
    Key: { pk, sk },
    UpdateExpression: `SET ${entries.map((_, index) => `#f${index} = :f${index}`).join(', ')}`,
    ConditionExpression: 'version = :before',
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#f${index}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(entries.map(([, value], index) => [`:f${index}`, value])),
      ':before': version,
    },
  });
}
