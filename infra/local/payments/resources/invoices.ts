import { monthlyCents } from './catalogue.ts';
import { newId, seconds } from './change.ts';
import type { Invoice, Subscription } from './objects.ts';

/** The invoice of a subscription's month. It exists only in its event. */
export function invoiceOf(
  subscription: Subscription,
  nowMs: number,
  { paid, billing_reason }: { readonly paid: boolean } & Pick<Invoice, 'billing_reason'>,
): Invoice {
  const items = subscription.items.data.map(({ price, quantity }) => ({ price: price.id, quantity }));
  const total = monthlyCents(items);
  const first = billing_reason === 'subscription_create';
  return {
    id: first ? subscription.latest_invoice : newId('in'),
    object: 'invoice',
    amount_due: total,
    amount_paid: paid ? total : 0,
    amount_remaining: paid ? 0 : total,
    billing_reason,
    collection_method: 'charge_automatically',
    created: seconds(nowMs),
    currency: 'usd',
    customer: subscription.customer,
    livemode: false,
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    status: paid ? 'paid' : 'open',
    total,
  };
}
