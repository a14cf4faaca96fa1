import type { Quota, UsageStore } from '../../domain/runs/ports.ts';
import { monthOf } from '../../domain/time.ts';
import { type Shard, usageKey } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { IS_OPEN, readUsage } from './usageShards.ts';

export interface UsagePlace {
  readonly orgId: string;
  readonly createdAt: string;
  /** Undefined: the month's first item, which is never closed. */
  readonly shard: Shard;
}

const change = ({ orgId, createdAt, shard }: UsagePlace, by: 1 | -1) => ({
  Key: usageKey(orgId, monthOf(createdAt), shard),
  UpdateExpression: 'ADD used :by',
  ...(shard !== undefined && { ConditionExpression: IS_OPEN }),
  ExpressionAttributeValues: { ':by': by },
});

/** One more run in the month it was created in. Fails its condition when the shard is closed. */
export const countUsage = (place: UsagePlace): Write => ({ Update: change(place, 1) });

/** The same under a plan that blocks further runs. Fails its condition when the month's quota is used up. */
export function countWithinQuota(orgId: string, createdAt: string, { monthlyRuns }: Quota): Write {
  const update = change({ orgId, createdAt, shard: undefined }, 1);
  return {
    Update: {
      ...update,
      ConditionExpression: 'attribute_not_exists(used) OR used < :limit',
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':limit': monthlyRuns },
    },
  };
}

/** A run that could not be evaluated is taken off where it was counted, or off the first item if that is closed. */
export const giveUsageBack = (place: UsagePlace): Write => ({ Update: change(place, -1) });

export function usageStore(table: Table): UsageStore {
  return {
    used: async (orgId, month) => (await readUsage(table, orgId, month)).used,
  };
}
