import * as z from 'zod';
import { monthlyCents } from './catalogue.ts';
import { type Change, emit, newId, seconds, type View } from './change.ts';
import { createCustomer, customerOf } from './customers.ts';
import { invoiceOf } from './invoices.ts';
import type { CheckoutSession, List } from './objects.ts';
import { listOf, metadata, page, text, webUrl, wholeNumber } from './parameters.ts';
import { noSuch, ProviderError } from './providerError.ts';
import type { StoredCheckout } from './store.ts';
import { checkedItem } from './subscriptionItems.ts';
import { startSubscription } from './subscriptions.ts';

const DAY_SECONDS = 86_400;

export const checkoutParameters = z.object({
  mode: z.literal('subscription'),
  line_items: listOf(z.object({ price: text, quantity: wholeNumber.optional() })),
  success_url: webUrl,
  cancel_url: webUrl.optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata: metadata.default({}),
  subscription_data: z
    .object({
      metadata: metadata.default({}),
      /** The classic mode is not simulated. */
      billing_mode: z.object({ type: z.literal('flexible') }).optional(),
    })
    .default({ metadata: {} }),
});

export const checkoutFilter = z.object({
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(['open', 'complete', 'expired']).optional(),
  ...page,
});

const checkoutPath = (id: string): string => `/payments/checkout/${id}`;

export function createCheckout(
  { state, nowMs }: Change,
  params: z.output<typeof checkoutParameters>,
): CheckoutSession {
  const { customer = null } = params;
  if (customer !== null) customerOf({ state }, customer, 'customer');
  const lineItems = params.line_items.map((item, index) =>
    checkedItem({ price: item.price, quantity: item.quantity }, `line_items[${index}]`),
  );
  const total = monthlyCents(lineItems);
  const now = seconds(nowMs);
  const session: CheckoutSession = {
    id: newId('cs_test'),
    object: 'checkout.session',
    amount_subtotal: total,
    amount_total: total,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: now,
    currency: 'usd',
    customer,
    customer_email: params.customer_email ?? null,
    expires_at: now + DAY_SECONDS,
    invoice: null,
    livemode: false,
    metadata: params.metadata,
    mode: 'subscription',
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: params.success_url,
    ui_mode: 'hosted_page',
    url: null,
  };
  state.checkouts.push({ session, lineItems, subscriptionMetadata: params.subscription_data.metadata });
  return session;
}

export function checkoutOf({ state }: Pick<View, 'state'>, id: string): StoredCheckout {
  const found = state.checkouts.find(({ session }) => session.id === id);
  if (found === undefined) throw noSuch('checkout.session', id);
  return found;
}

/** The session with its status and URL of this moment: it may have expired, and the service may have moved. */
export function currentCheckout({ nowMs, baseUrl }: View, { session }: StoredCheckout): CheckoutSession {
  const isExpired = session.status === 'open' && session.expires_at <= seconds(nowMs);
  const status = isExpired ? 'expired' : session.status;
  return { ...session, status, url: status === 'open' ? baseUrl + checkoutPath(session.id) : null };
}

export function listCheckouts(
  view: View,
  { customer, subscription, status, limit }: z.output<typeof checkoutFilter>,
): List<CheckoutSession> {
  const newest = view.state.checkouts
    .toReversed()
    .map((stored) => currentCheckout(view, stored))
    .filter(
      (session) =>
        (customer === undefined || session.customer === customer) &&
        (subscription === undefined || session.subscription === subscription) &&
        (status === undefined || session.status === status),
    );
  return {
    object: 'list',
    data: newest.slice(0, limit),
    has_more: newest.length > limit,
    url: '/v1/checkout/sessions',
  };
}

export function expireCheckout(change: Change, id: string): CheckoutSession {
  const session = openSession(change, id);
  session.status = 'expired';
  emit(change, 'checkout.session.expired', session);
  return session;
}

export function completeCheckout(change: Change, id: string): CheckoutSession {
  const session = openSession(change, id);
  const { lineItems, subscriptionMetadata: metadata } = checkoutOf(change, id);
  const email = session.customer_email ?? undefined;
  const customer = session.customer ?? createCustomer(change, { email, metadata: {} }).id;
  const subscription = startSubscription(change, { customer, lineItems, metadata });
  Object.assign(session, {
    customer,
    invoice: subscription.latest_invoice,
    payment_status: 'paid',
    status: 'complete',
    subscription: subscription.id,
  });
  const invoice = invoiceOf(subscription, change.nowMs, {
    paid: true,
    billing_reason: 'subscription_create',
  });
  emit(change, 'customer.subscription.created', subscription);
  emit(change, 'invoice.paid', invoice);
  emit(change, 'checkout.session.completed', session);
  return session;
}

function openSession(change: Change, id: string): CheckoutSession {
  const stored = checkoutOf(change, id);
  const { status } = currentCheckout(change, stored);
  if (status === 'open') return stored.session;
  throw new ProviderError(400, `This checkout session is ${status}: only an open one can change.`);
}
