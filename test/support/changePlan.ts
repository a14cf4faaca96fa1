import type { PlanId } from '../../shared/contracts/auth.ts';
import { retainedSince } from '../../shared/domain/retention/retention.ts';
import { timestamp } from '../../shared/domain/time.ts';
import { readOrganisationItem } from '../../shared/storage/accounts/organisationItems.ts';
import { retentionDue } from '../../shared/storage/billing/retention.ts';
import { apiKeyKey, apiKeyPointers, type Key, organisationKey } from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';

/** Changes a plan like a purchase or cancellation: the organisation, its keys, and the extension of its runs. */
export async function changePlan(table: Table, orgId: string, plan: PlanId, nowMs: number): Promise<void> {
  const stored = readOrganisationItem((await table.get(organisationKey(orgId))) ?? {});
  const former = { plan: stored.plan, retainedFrom: stored.retained_from ?? null };
  const values = { ':plan': plan, ':from': retainedSince(former, nowMs) };
  const set = (Key: Key) => ({
    Update: {
      Key,
      UpdateExpression: 'SET #plan = :plan, retained_from = :from',
      ExpressionAttributeNames: { '#plan': 'plan' },
      ExpressionAttributeValues: values,
    },
  });
  const pointers = await table.query(apiKeyPointers(orgId));
  const keys = pointers.map(({ sha256 }) => [`key ${sha256}`, set(apiKeyKey(String(sha256)))]);
  const outcome = await table.transact<string>({
    organisation: set(organisationKey(orgId)),
    ...Object.fromEntries(keys),
    ...retentionDue(orgId, timestamp(nowMs)),
  });
  if (!outcome.committed) throw new Error(`changing the plan: ${[...outcome.failed.keys()]}`);
}
