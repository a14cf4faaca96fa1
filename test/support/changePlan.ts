import type { PlanId } from '../../shared/contracts/auth.ts';
import * as planChanges from '../../shared/storage/billing/planChanges.ts';
import type { Table } from '../../shared/storage/table/table.ts';

/** Changes a plan as a purchase or cancellation does. */
export async function changePlan(table: Table, orgId: string, plan: PlanId, nowMs: number): Promise<void> {
  const change = { orgId, plan: () => plan, atMs: nowMs, alongside: {} };
  const { outcome } = await planChanges.changePlan(table, change);
  if (outcome !== 'changed' && outcome !== 'unchanged') throw new Error(`changing the plan: ${outcome}`);
}
