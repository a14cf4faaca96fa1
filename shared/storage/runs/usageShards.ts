import { untilSettled } from '../table/backoff.ts';
import { COUNTER_SHARDS, type Key, SK, usageKey, usageOfMonth } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

const SHARDS = Array.from({ length: COUNTER_SHARDS }, (_, shard) => shard);

/** The runs of a month: those of its first item and of its shards. */
export interface MonthUsage {
  /** Holds what the month is billed by, too. */
  readonly first: Item | undefined;
  readonly used: number;
  readonly shards: readonly Item[];
}

/** A fold writes all shards and the first item: if their `folded` differ, it took place between two reads. */
const isTorn = (items: readonly Item[]): boolean => new Set(items.map(({ folded }) => folded ?? 0)).size > 1;

export function readUsage(table: Table, orgId: string, month: string): Promise<MonthUsage> {
  return untilSettled<MonthUsage>(async () => {
    const items = await table.query(usageOfMonth(orgId, month));
    const shards = items.filter((item) => item[SK] !== usageKey(orgId, month).sk);
    if (shards.length > 0 && isTorn(items)) return undefined;
    const used = items.reduce((sum, item) => sum + Number(item.used ?? 0), 0);
    return { first: items.find((item) => !shards.includes(item)), used, shards };
  }, table.backoff);
}

interface Month {
  readonly orgId: string;
  readonly month: string;
}

const updateAll = async (table: Table, { orgId, month }: Month, update: (key: Key) => ShardUpdate) => {
  await Promise.all(SHARDS.map((shard) => table.update(update(usageKey(orgId, month, shard)))));
};
type ShardUpdate = Parameters<Table['update']>[0];

/**
 * Nothing is counted in the shards any more, so that their sum stands. Runs that are stored meanwhile count in the
 * first item. `mark` names who closes.
 */
export const closeShards = (table: Table, month: Month, mark: string): Promise<void> =>
  updateAll(table, month, (Key) => ({
    Key,
    UpdateExpression: 'SET closed = :mark',
    ConditionExpression: 'attribute_not_exists(closed)',
    ExpressionAttributeValues: { ':mark': mark },
  }));

/** Takes a closing back that nothing followed. */
export const reopenShards = (table: Table, month: Month, mark: string): Promise<void> =>
  updateAll(table, month, (Key) => ({
    Key,
    UpdateExpression: 'REMOVE closed',
    ConditionExpression: 'closed = :mark',
    ExpressionAttributeValues: { ':mark': mark },
  }));

/** Who closes for good: a plan that blocks further runs has one usage item, on which its quota is a condition. */
export const CLOSED_BY_PLAN = 'plan';

interface Fold {
  /** The organisation's version after the change of plan that folds. */
  readonly version: number;
  readonly opens: boolean;
}

/** Empties the closed shards, in the transaction that adds `runsInShards` to the first item. */
export function foldShards(
  { orgId, month }: Month,
  { shards }: MonthUsage,
  { version, opens }: Fold,
): Record<string, Write> {
  const bySortKey = new Map(shards.map((item) => [item[SK], item]));
  const fold = (shard: number): [string, Write] => {
    const key = usageKey(orgId, month, shard);
    const used = bySortKey.get(key.sk)?.used;
    const asRead = used === undefined ? 'attribute_not_exists(used)' : 'used = :used';
    return [
      `usage ${shard}`,
      {
        Update: {
          Key: key,
          UpdateExpression: `SET used = :none, folded = :version${opens ? ' REMOVE closed' : ', closed = :plan'}`,
          ConditionExpression: `attribute_exists(closed) AND ${asRead}`,
          ExpressionAttributeValues: {
            ':none': 0,
            ':version': version,
            ...(!opens && { ':plan': CLOSED_BY_PLAN }),
            ...(used !== undefined && { ':used': used }),
          },
        },
      },
    ];
  };
  return Object.fromEntries(SHARDS.map(fold));
}

export const runsInShards = ({ shards }: MonthUsage): number =>
  shards.reduce((sum, { used }) => sum + Number(used ?? 0), 0);
