import { expireLater, tombstoneExpiry, uuidBytes } from '../documents.ts';
import { PK, SK, TTL } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';
import { dropLog, type LoggedWrite, type PushLog, readLog } from './log.ts';
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
  const groups = [...(areSingles ? [] : log.changed.map(({ item }) => [put(item)])), ...groupsOf(log)];
  for (const batch of batchesOf(groups.filter(({ length }) => length > 0))) {
    const named = batch.map((write, index) => [`write${index}`, write] as const);
    const outcome = await table.transact<string>({ push: whileUnderWay(push), ...Object.fromEntries(named) });
    // Another function has finished it.
    if (!outcome.committed) return;
  }
  await table.transact(endsOf(push));
  await dropLog(table, place);
}

const put = (Item: Item): Write => ({ Put: { Item } });

const groupsOf = ({ groups, at }: PushLog): Write[][] =>
  groups.map((group) => group.map((write) => writeOf(write, at)));

function writeOf(write: LoggedWrite, at: string): Write {
  if ('put' in write) return put(write.put);
  if ('block' in write) return put({ ...write.block, ids: write.ids.map(uuidBytes) });
  if ('expire' in write) return expireLater(write.expire, at);
  if ('drop' in write) return { Delete: { Key: write.drop } };
  return {
    Update: {
      Key: write.hide,
      UpdateExpression: `SET deleted_at = :at, ${TTL} = :ttl`,
      ExpressionAttributeValues: { ':at': at, ':ttl': tombstoneExpiry(at) },
    },
  };
}

/** No group is divided. */
function batchesOf(groups: readonly (readonly Write[])[]): Write[][] {
  const batches: Write[][] = [];
  let bytes = BYTES_MAX;
  for (const group of groups) {
    const size = Buffer.byteLength(JSON.stringify(group));
    const last = batches.at(-1);
    const fits = last !== undefined && last.length + group.length <= WRITES_MAX && bytes + size <= BYTES_MAX;
    if (fits) last.push(...group);
    else batches.push([...group]);
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
