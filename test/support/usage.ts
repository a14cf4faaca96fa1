import { monthOf } from '../../shared/domain/time.ts';
import { readOrganisationItem } from '../../shared/storage/accounts/organisationItems.ts';
import { usageStore } from '../../shared/storage/runs/usage.ts';
import { organisationKey, usageKey } from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';

/** As if so many more runs had been made in a month under the plan in force. */
export async function addUsed(table: Table, orgId: string, month: string, by: number): Promise<void> {
  const organisation = readOrganisationItem((await table.get(organisationKey(orgId))) ?? {});
  await table.update({
    Key: usageKey(orgId, month, organisation.plan_version),
    UpdateExpression: 'SET #plan = :plan ADD used :by',
    ExpressionAttributeNames: { '#plan': 'plan' },
    ExpressionAttributeValues: { ':plan': organisation.plan, ':by': by },
  });
}

/** As if so many runs had been made in a month. */
export async function setUsed(table: Table, orgId: string, month: string, used: number): Promise<void> {
  await addUsed(table, orgId, month, used - (await usageStore(table).used(orgId, month)));
}

/** Runs of the last minute's months. */
export async function usedRuns(table: Table, orgId: string): Promise<number> {
  const months = [0, 60_000].map((past) => monthOf(new Date(Date.now() - past).toISOString()));
  const used = [...new Set(months)].map((month) => usageStore(table).used(orgId, month));
  return (await Promise.all(used)).reduce((sum, runs) => sum + runs, 0);
}
