import Stripe from 'stripe';
import type { Checkout } from '../domain/billing/ports.ts';
import type { PaymentsConfig } from '../runtime/paymentsConfig.ts';
import { isMissing } from './client.ts';

/** Far more than are ever open. */
const OPEN_MAX = 100;

export function checkoutOf(
  { orgId, customerId, plan, successUrl, cancelUrl }: Checkout,
  { prices }: PaymentsConfig,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { org_id: orgId };
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: orgId,
    // What is used beyond the plan is metered: it has no quantity.
    line_items: [{ price: prices[plan].monthly[0] ?? '', quantity: 1 }, { price: prices[plan].overage }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata,
    // A metered price that is changed is invoiced up to then; in the classic mode its usage would be lost.
    subscription_data: { metadata, billing_mode: { type: 'flexible' } },
  };
}

/**
 * Expires the customer's open sessions but for the newest so many. Who makes one and then closes all but the newest
 * leaves one, however many do so at once: of any two, whoever made the later one sees both.
 */
export async function closeCheckouts(stripe: Stripe, customer: string, { but }: { but: 0 | 1 }) {
  const question = { customer, status: 'open', limit: OPEN_MAX } as const;
  const open = await stripe.checkout.sessions.list(question).catch((error: unknown) => {
    if (isMissing(error, 'customer')) return { data: [] };
    throw error;
  });
  const newestFirst = open.data.toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1));
  await Promise.all(newestFirst.slice(but).map(({ id }) => expire(stripe, id)));
}

async function expire(stripe: Stripe, id: string): Promise<void> {
  await stripe.checkout.sessions.expire(id).catch((error: unknown) => {
    // Paid or expired since the list was made.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}
