import { configured } from './errors.ts';
import type { BillingStore, Payments } from './ports.ts';

const OVER: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

interface EndBillingDeps {
  readonly billing: Pick<BillingStore, 'find'>;
  readonly loadPayments: () => Promise<Payments | undefined>;
}

/** The organisation's customer pays no more: checkouts are closed before subscriptions end, so that none begins after. */
export async function endBilling({ billing, loadPayments }: EndBillingDeps, orgId: string): Promise<void> {
  const customerId = (await billing.find(orgId))?.customerId ?? null;
  if (customerId === null) return;
  const payments = configured(await loadPayments());
  if ((await payments.subscriptionsOf(customerId)) === undefined) return;
  await payments.closeCheckouts(customerId);
  for (const { id, status } of (await payments.subscriptionsOf(customerId)) ?? [])
    if (!OVER.has(status)) await payments.endSubscription(id);
}
