import type { Quota, UsageStore } from '../../domain/runs/ports.ts';
import { monthOf } from '../../domain/time.ts';
import { usageKey } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';

const change = (orgId: string, createdAt: string, by: 1 | -1) => ({
  Key: usageKey(orgId, monthOf(createdAt)),
  UpdateExpression: 'ADD used :by',
  ExpressionAttributeValues: { ':by': by },
});

/** One more run in the month it was created in. Fails its condition when the month's quota is used up. */
export function countUsage(orgId: string, createdAt: string, quota: Quota | undefined): Write {
  const update = change(orgId, createdAt, 1);
  if (quota === undefined) return { Update: update };
  return {
    Update: {
      ...update,
      ConditionExpression: 'attribute_not_exists(used) OR used < :limit',
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':limit': quota.monthlyRuns },
    },
  };
}

/** A run that could not be evaluated is taken off the usage of the month it was created in. */
export const giveUsageBack = (orgId: string, createdAt: string): Write => ({
  Update: change(orgId, createdAt, -1),
});

export function usageStore(table: Table): UsageStore {
  return {
    async used(orgId, month) {
      const item = await table.get(usageKey(orgId, month));
      return Number(item?.used ?? 0);
    },
  };
}
