import * as z from 'zod';
import type { PaidPlanId } from '../../../../shared/contracts/billing.ts';
import { monthlyCents, planOf } from './catalogue.ts';
import { type Change, emit, newId, seconds, type View } from './change.ts';
import { customerOf } from './customers.ts';
import { invoiceOf } from './invoices.ts';
import type { LineItem, List, Metadata, Subscription } from './objects.ts';
import { flag, listOf, metadata, page, text, wholeNumber } from './parameters.ts';
import { invalidParameter, noSuch, ProviderError } from './providerError.ts';
import { changedItem, itemList, newItem, renewed } from './subscriptionItems.ts';

export const subscriptionUpdate = z.object({
  items: listOf(
    z.object({
      id: text.optional(),
      price: text.optional(),
      quantity: wholeNumber.optional(),
      deleted: flag.default(false),
    }),
  ).default([]),
  metadata: metadata.optional(),
  /** Accepted without effect: the simulation does not invoice changes. */
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
});

export const subscriptionFilter = z.object({
  customer: text.optional(),
  status: z.enum(['active', 'past_due', 'unpaid', 'canceled', 'all']).optional(),
  ...page,
});

export function startSubscription(
  change: Change,
  { customer, lineItems, metadata }: { customer: string; lineItems: readonly LineItem[]; metadata: Metadata },
): Subscription {
  const { state, nowMs } = change;
  const now = seconds(nowMs);
  const id = newId('sub');
  const subscription: Subscription = {
    id,
    object: 'subscription',
    billing_cycle_anchor: now,
    billing_mode: { flexible: null, type: 'flexible' },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created: now,
    currency: 'usd',
    customer,
    description: null,
    ended_at: null,
    items: itemList(
      id,
      lineItems.map((item) => newItem({ id, nowMs, anchor: now }, item)),
    ),
    latest_invoice: newId('in'),
    livemode: false,
    metadata,
    start_date: now,
    status: 'active',
  };
  state.subscriptions.push(subscription);
  return subscription;
}

export function subscriptionOf({ state }: Pick<View, 'state'>, id: string): Subscription {
  const subscription = state.subscriptions.find((candidate) => candidate.id === id);
  if (subscription === undefined) throw noSuch('subscription', id);
  return subscription;
}

export function retrieveSubscription(view: View, id: string): Subscription {
  return renewed(subscriptionOf(view, id), view.nowMs);
}

/** Newest first. Without a status: all that are not canceled. */
export function listSubscriptions(
  view: View,
  { customer, status, limit }: z.output<typeof subscriptionFilter>,
): List<Subscription> {
  if (customer !== undefined) customerOf(view, customer, 'customer');
  const found = view.state.subscriptions.filter(
    (subscription) =>
      (customer === undefined || subscription.customer === customer) &&
      (status === 'all' ||
        (status === undefined ? subscription.status !== 'canceled' : subscription.status === status)),
  );
  const newest = found.toReversed();
  return {
    object: 'list',
    data: newest.slice(0, limit).map((subscription) => renewed(subscription, view.nowMs)),
    has_more: newest.length > limit,
    url: '/v1/subscriptions',
  };
}

/** Like Stripe: changes items with an id, adds items without one, and keeps all others. */
export function updateSubscription(
  change: Change,
  id: string,
  params: z.output<typeof subscriptionUpdate>,
): Subscription {
  const { nowMs } = change;
  const subscription = liveOne(change, id);
  let items = [...subscription.items.data];
  for (const [index, wanted] of params.items.entries()) {
    const param = `items[${index}]`;
    const kept = items.find((item) => item.id === wanted.id);
    if (wanted.id !== undefined && kept === undefined)
      throw noSuch('subscription item', wanted.id, `${param}[id]`);
    items = items.filter((item) => item !== kept);
    if (!wanted.deleted) items.push(changedItem({ subscription, kept, wanted, param, nowMs }));
  }
  if (items.length === 0)
    throw invalidParameter('items', 'A subscription must have at least one active plan.');
  subscription.items = itemList(id, items);
  subscription.metadata = { ...subscription.metadata, ...params.metadata };
  emit(change, 'customer.subscription.updated', subscription);
  return subscription;
}

export function cancelSubscription(change: Change, id: string): Subscription {
  const subscription = liveOne(change, id);
  const now = seconds(change.nowMs);
  Object.assign(subscription, { status: 'canceled', canceled_at: now, ended_at: now });
  emit(change, 'customer.subscription.deleted', subscription);
  return subscription;
}

export function deleteCustomer(change: Change, id: string): object {
  const customer = customerOf(change, id);
  const { state } = change;
  for (const subscription of state.subscriptions) {
    if (subscription.customer === id && subscription.status !== 'canceled')
      cancelSubscription(change, subscription.id);
  }
  state.customers = state.customers.filter((candidate) => candidate !== customer);
  emit(change, 'customer.deleted', customer);
  return { id, object: 'customer', deleted: true };
}

export function setStatus(
  change: Change,
  id: string,
  status: 'active' | 'past_due' | 'unpaid',
): Subscription {
  const subscription = liveOne(change, id);
  subscription.status = status;
  const paid = status === 'active';
  const invoice = invoiceOf(subscription, change.nowMs, { paid, billing_reason: 'subscription_cycle' });
  emit(change, paid ? 'invoice.paid' : 'invoice.payment_failed', invoice);
  emit(change, 'customer.subscription.updated', subscription);
  return subscription;
}

export function subscriptionPlan({ items }: Subscription): PaidPlanId | undefined {
  return planOf(items.data.map(({ price }) => price.id));
}

export function subscriptionCents({ items }: Subscription): number {
  return monthlyCents(items.data.map(({ price, quantity }) => ({ price: price.id, quantity })));
}

function liveOne(change: Change, id: string): Subscription {
  const subscription = subscriptionOf(change, id);
  if (subscription.status !== 'canceled') return subscription;
  throw new ProviderError(
    400,
    'A canceled subscription can only update its cancellation_details and metadata.',
  );
}
