import type { ExtendedRuns, RunsToExtend } from '../../domain/retention/ports.ts';
import { resultItemsOf } from '../runs/results/storedResults.ts';
import { chunksOf } from '../table/batches.ts';
import { PART_BYTES_MAX } from '../table/blobs.ts';
import { retainedTtl } from '../table/expiry.ts';
import { type Key, lastNumberOf, PK, runKey, TTL } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

const RUNS_AT_ONCE = 10;
const NEWEST = 9_999_999_999;

interface Lift {
  readonly key: Key;
  /** In seconds since 1970. */
  readonly until: number;
  readonly now: number;
}

interface Condition {
  readonly expression: string;
  readonly names?: Record<string, string>;
  readonly values: Item;
}

/** Moves the expiry of an item that has not expired, to a later time only. Returns the item. */
async function lift(table: Table, { key, until, now }: Lift, unless?: Condition): Promise<Item | undefined> {
  const alive = `attribute_exists(${PK}) AND ${TTL} > :now AND ${TTL} < :until`;
  const { item } = await table.update({
    Key: key,
    UpdateExpression: `SET ${TTL} = :until`,
    ConditionExpression: unless === undefined ? alive : `${alive} AND ${unless.expression}`,
    ...(unless?.names && { ExpressionAttributeNames: unless.names }),
    ExpressionAttributeValues: { ':now': now, ':until': until, ...unless?.values },
  });
  return item;
}

/** A part that is not full is the last. */
async function liftParts(
  table: Table,
  keyOf: (part: number) => Key,
  times: Omit<Lift, 'key'>,
): Promise<void> {
  for (let part = 0; ; part++) {
    const item = await lift(table, { key: keyOf(part), ...times });
    if (item === undefined || (item.bytes as Uint8Array).length < PART_BYTES_MAX) return;
  }
}

/** The parts before the chunk's item, so that a prolonged chunk has all of its results. */
async function liftResults(
  table: Table,
  { orgId, suiteId }: RunsToExtend,
  run: Item,
  times: Omit<Lift, 'key'>,
): Promise<void> {
  const place = { orgId, suiteId, runToken: String(run.attempt) };
  for (const { partKey, chunk } of await resultItemsOf(table, place, run)) {
    if (partKey !== undefined) await liftParts(table, partKey, times);
    if (chunk !== undefined) await lift(table, { key: chunk, ...times });
  }
}

/** The run after its results, so that a prolonged run has all of its results. */
async function liftRun(table: Table, runs: RunsToExtend, run: Item, times: Omit<Lift, 'key'>): Promise<void> {
  await liftResults(table, runs, run, times);
  const key = runKey(runs.orgId, runs.suiteId, lastNumberOf(run));
  await lift(
    table,
    { key, ...times },
    {
      expression: 'attempt = :attempt AND #status <> :pending',
      names: { '#status': 'status' },
      values: { ':attempt': run.attempt, ':pending': 'pending' },
    },
  );
}

/**
 * The newest runs first, so that after an interruption the newest are prolonged. A pending run is skipped: its
 * evaluator writes items with the expiry that it has read in the run.
 */
export async function extendRuns(
  table: Table,
  nowMs: number,
  runs: RunsToExtend,
  limit: number,
): Promise<ExtendedRuns> {
  const { orgId, suiteId, below, since, retentionDays } = runs;
  const { pk, sk: to } = runKey(orgId, suiteId, below === null ? NEWEST : below - 1);
  const from = runKey(orgId, suiteId, 0).sk;
  const items = await table.query({ pk, between: [from, to] }, { newestFirst: true, limit });
  const retained = items.filter((item) => String(item.created_at) >= since);
  const untilOf = (item: Item) => retainedTtl(String(item.created_at), retentionDays)[TTL];
  const due = retained.filter((item) => Number(item[TTL]) < untilOf(item));
  const ended = due.filter((item) => item.status !== 'pending');
  const now = Math.ceil(nowMs / 1_000);
  for (const some of chunksOf(ended, RUNS_AT_ONCE)) {
    await Promise.all(some.map((item) => liftRun(table, runs, item, { now, until: untilOf(item) })));
  }
  // Goes on down to the first run: one run of a clock that was behind does not end the walk.
  const oldest = items.at(-1);
  const next = oldest !== undefined && items.length >= limit ? lastNumberOf(oldest) : null;
  return { read: items.length, next, left: ended.length < due.length };
}
