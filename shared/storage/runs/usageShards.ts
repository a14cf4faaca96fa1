import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { PLANS, type PlanId } from '../../contracts/auth.ts';
import { PLAN } from '../../domain/plans.ts';
import { timestamp } from '../../domain/time.ts';
import { untilSettled } from '../table/backoff.ts';
import { COUNTER_SHARDS, type Key, SK, usageKey, usageOfMonth } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

const SHARDS = Array.from({ length: COUNTER_SHARDS }, (_, shard) => shard);

/**
 * The runs of a month are those of its first item and of the shards of the same epoch. A change of plan moves the
 * shards' runs to the first item by giving that the next epoch: so that what many write at once is in no transaction
 * but theirs.
 */
export interface MonthUsage {
  /** Holds what the month is billed by, too. */
  readonly first: Item | undefined;
  readonly used: number;
  readonly inShards: number;
  readonly isThere: boolean;
}

const epochOf = (item: Item | undefined): number => Number(item?.epoch ?? 0);
const usedIn = (items: readonly Item[]): number =>
  items.reduce((sum, { used }) => sum + Number(used ?? 0), 0);

/** Repeated when the epoch changed between the reads of the items. */
export function readUsage(table: Table, orgId: string, month: string): Promise<MonthUsage> {
  return untilSettled<MonthUsage>(async () => {
    const items = await table.query(usageOfMonth(orgId, month));
    const { sk } = usageKey(orgId, month);
    const first = items.find((item) => item[SK] === sk);
    const shards = items.filter((item) => item !== first);
    if (shards.some((shard) => epochOf(shard) > epochOf(first))) return undefined;
    const inShards = usedIn(shards.filter((shard) => epochOf(shard) === epochOf(first)));
    return { first, used: Number(first?.used ?? 0) + inShards, inShards, isThere: items.length > 0 };
  }, table.backoff);
}

interface Month {
  readonly orgId: string;
  readonly month: string;
}
type ShardUpdate = Parameters<Table['update']>[0];

const updateAll = async (table: Table, { orgId, month }: Month, update: (key: Key) => ShardUpdate) => {
  await Promise.all(SHARDS.map((shard) => table.update(update(usageKey(orgId, month, shard)))));
};

/** A plan that blocks further runs has one usage item, on which its quota is a condition. */
export const CLOSED_BY_PLAN = 'plan';
export const IS_OPEN = 'attribute_not_exists(closed)';

/** Longer than a change of plan takes: whoever closed has died. */
const CLOSED_MS = 10_000;

/** Of who closes, and until when. No two are the same: whoever knows an old one can't open what was closed again. */
export const newMark = (atMs: number): string => `${timestamp(atMs + CLOSED_MS)} ${randomUUID()}`;
export const isLeft = (mark: string, now: string): boolean => mark < now;

interface Closing {
  readonly mark: string;
  /** By which the same change closed before. */
  readonly before: string | undefined;
  readonly now: string;
}

/** Closings of a month are numbered, so that a late write of an earlier one does nothing. */
export interface Closed {
  readonly mark: string;
  readonly fence: number;
}

/**
 * Nothing is counted in the shards any more, so that their sum stands: as long as the first item has this mark and
 * this fence. Who opens the shards first removes the mark from the first item. Undefined while another change of plan
 * is under way.
 */
export async function closeShards(
  table: Table,
  month: Month,
  { mark, before = mark, now }: Closing,
): Promise<Closed | undefined> {
  const { updated, item } = await table.update({
    Key: usageKey(month.orgId, month.month),
    UpdateExpression: 'SET closing = :mark ADD fence :one',
    ConditionExpression: 'attribute_not_exists(closing) OR closing < :now OR closing IN (:mark, :before)',
    ExpressionAttributeValues: { ':mark': mark, ':before': before, ':now': now, ':one': 1 },
  });
  if (!updated) return undefined;
  const closed = { mark, fence: Number(item?.fence) };
  await setClosed(table, month, closed);
  return closed;
}

const setClosed = (table: Table, month: Month, { mark, fence }: Closed): Promise<void> =>
  updateAll(table, month, (Key) => ({
    Key,
    UpdateExpression: 'SET closed = :mark, fence = :fence',
    ConditionExpression: 'attribute_not_exists(fence) OR fence < :fence',
    ExpressionAttributeValues: { ':mark': mark, ':fence': fence },
  }));

/** For runs that were let in under the plan before, and are stored when the next month has begun. */
export const closeByPlan = (table: Table, month: Month): Promise<void> =>
  updateAll(table, month, (Key) => ({
    Key,
    UpdateExpression: 'SET closed = :plan',
    ExpressionAttributeValues: { ':plan': CLOSED_BY_PLAN },
  }));

interface Change {
  readonly mark: string;
  /** The month's new epoch. */
  readonly version: number;
  readonly plan: PlanId;
}

const opens = (plan: PlanId): boolean => PLAN[plan].overage !== 'blocked';

/** After the transaction that moved the shards' runs to the first item. */
export const beginEpoch = (table: Table, month: Month, { mark, version, plan }: Change): Promise<void> =>
  updateAll(table, month, (Key) => ({
    Key,
    UpdateExpression: `SET used = :none, epoch = :version${opens(plan) ? ' REMOVE closed' : ', closed = :plan'}`,
    ConditionExpression: 'closed = :mark AND (attribute_not_exists(epoch) OR epoch < :version)',
    ExpressionAttributeValues: {
      ':none': 0,
      ':version': version,
      ':mark': mark,
      ...(!opens(plan) && { ':plan': CLOSED_BY_PLAN }),
    },
  }));

/** Opens what this mark closed, whether its transaction took place or not: from here on it can't. */
export async function reopenShards(table: Table, month: Month, mark: string): Promise<void> {
  const { item: first } = await table.update({
    Key: usageKey(month.orgId, month.month),
    UpdateExpression: 'REMOVE closing',
    ConditionExpression: 'closing = :mark',
    ExpressionAttributeValues: { ':mark': mark },
  });
  const epoch = epochOf(first);
  // Without a change of plan in this month its shards were never closed by a plan.
  const plan = planSchema.parse(first?.plan);
  if (epoch > 0) await beginEpoch(table, month, { mark, version: epoch, plan });
  await updateAll(table, month, (Key) => ({
    Key,
    UpdateExpression: opens(plan) ? 'REMOVE closed' : 'SET closed = :plan',
    ConditionExpression: `closed = :mark AND ${epoch > 0 ? 'epoch = :epoch' : 'attribute_not_exists(epoch)'}`,
    ExpressionAttributeValues: {
      ':mark': mark,
      ...(epoch > 0 && { ':epoch': epoch }),
      ...(!opens(plan) && { ':plan': CLOSED_BY_PLAN }),
    },
  }));
}

const planSchema = z.enum(PLANS).default('enterprise');
