import * as z from 'zod';
import { PLANS } from '../../contracts/auth.ts';
import { type PlanUsage, runsOf } from '../../domain/billing/overage.ts';
import { type PlanInForce, quotaOf } from '../../domain/plans.ts';
import type { UsageStore } from '../../domain/runs/ports.ts';
import { monthOf } from '../../domain/time.ts';
import { planVersionOfUsage, type Shard, usageKey, usageOfMonth } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';

interface UsagePlace {
  readonly orgId: string;
  readonly createdAt: string;
  readonly plan: PlanInForce;
}

interface CountedRun extends UsagePlace {
  readonly head: { readonly projectId: string };
}

/** An item has the runs of each of its projects under the project's id: of one project where the plan blocks no runs. */
const change = ({ orgId, createdAt, plan, head: { projectId } }: CountedRun, by: 1 | -1, shard?: Shard) => ({
  Key: usageKey(
    orgId,
    monthOf(createdAt),
    plan.version,
    quotaOf(plan.id) === undefined ? projectId : undefined,
    shard,
  ),
  UpdateExpression: 'SET #plan = :plan ADD used :by, #project :by',
  ExpressionAttributeNames: { '#plan': 'plan', '#project': projectId },
  ExpressionAttributeValues: { ':plan': plan.id, ':by': by },
});

/** One more run in the month it was created in, under the plan that let it in. */
export const countUsage = (run: CountedRun, shard: Shard): Write => ({ Update: change(run, 1, shard) });

/** The same under a plan that blocks further runs, whose runs of a month are all counted in one item. */
export function countWithinQuota(run: CountedRun, left: number): Write {
  const update = change(run, 1);
  const isWithin = 'used < :left';
  return {
    Update: {
      ...update,
      ConditionExpression: left > 0 ? `attribute_not_exists(used) OR ${isWithin}` : isWithin,
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':left': left },
    },
  };
}

/** Takes off a run that could not be evaluated. It may have been counted in a shard: readers sum. */
export const refundUsage = (run: CountedRun): Write => ({ Update: change(run, -1) });

const usageSchema = z.object({ plan: z.enum(PLANS), used: z.number() });

/** In the order of the plan's versions. */
export async function readUsage(table: Table, orgId: string, month: string): Promise<readonly PlanUsage[]> {
  const versions = new Map<number, PlanUsage>();
  for (const item of await table.query(usageOfMonth(orgId, month))) {
    const { plan, used } = usageSchema.parse(item);
    const planVersion = planVersionOfUsage(item);
    const before = versions.get(planVersion)?.used ?? 0;
    versions.set(planVersion, { plan, planVersion, used: before + used });
  }
  return [...versions.values()];
}

/** Runs of the month that earlier versions of the plan let in. The first version has none before it. */
export async function usedBefore(table: Table, { orgId, createdAt, plan }: UsagePlace): Promise<number> {
  if (plan.version === 1) return 0;
  const month = await readUsage(table, orgId, monthOf(createdAt));
  return runsOf(month.filter(({ planVersion }) => planVersion < plan.version));
}

export function usageStore(table: Table): UsageStore {
  return {
    used: async (orgId, month) => runsOf(await readUsage(table, orgId, month)),
  };
}
