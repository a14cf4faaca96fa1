import type Stripe from 'stripe';
import { PAID_PLANS, type PaidPlanId } from '../contracts/billing.ts';
import type { PaymentsConfig } from '../runtime/paymentsConfig.ts';

/** A subscription's items at the prices of another plan. Other items stay as they are. */
export function itemsOf(
  { id, items }: Stripe.Subscription,
  plan: PaidPlanId,
  { prices }: PaymentsConfig,
): Stripe.SubscriptionUpdateParams.Item[] {
  const sold = new Set(PAID_PLANS.flatMap((paid) => prices[paid].monthly));
  const monthly = items.data.find(({ price }) => sold.has(price.id));
  const metered = items.data.find(({ price }) => price.recurring?.usage_type === 'metered');
  if (monthly === undefined) throw new Error(`Subscription ${id} has no price that is configured`);
  return [
    { id: monthly.id, price: prices[plan].monthly[0] ?? '' },
    { ...(metered && { id: metered.id }), price: prices[plan].overage },
  ];
}
