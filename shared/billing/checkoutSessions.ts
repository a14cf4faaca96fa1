import Stripe from 'stripe';
import type { Checkout } from '../domain/billing/ports.ts';
import type { PaymentsConfig } from '../runtime/paymentsConfig.ts';
import { isMissing } from './client.ts';

/** More than are ever open. */
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
    // The overage price is metered and takes no quantity.
    line_items: [{ price: prices[plan].monthly[0] ?? '', quantity: 1 }, { price: prices[plan].overage }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata,
    // Classic mode would lose the usage before a change of a metered price; flexible mode invoices it.
    subscription_data: { metadata, billing_mode: { type: 'flexible' } },
  };
}

/**
 * Expires the customer's open sessions except for the newest `but`. If several functions create a session at once
 * and then close all but the newest, one is left: the function that created the later of two sees both.
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
    // The session was paid or expired since the list was read.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}
