import { findPrice, isMetered } from './catalogue.ts';
import { newId, seconds } from './change.ts';
import type { LineItem, List, Subscription, SubscriptionItem } from './objects.ts';
import { invalidParameter, noSuch } from './providerError.ts';

interface ItemChange {
  readonly subscription: Subscription;
  readonly kept: SubscriptionItem | undefined;
  readonly wanted: { readonly price?: string | undefined; readonly quantity?: number | undefined };
  readonly param: string;
  readonly nowMs: number;
}

export function changedItem({ subscription, kept, wanted, param, nowMs }: ItemChange): SubscriptionItem {
  const price = wanted.price ?? kept?.price.id;
  if (price === undefined) throw invalidParameter(`${param}[price]`, 'A new item needs a price.');
  const item = checkedItem({ price, quantity: wanted.quantity ?? kept?.quantity }, param, 1);
  const { id, billing_cycle_anchor: anchor } = subscription;
  const made = newItem({ id, nowMs, anchor }, item);
  return kept === undefined ? made : { ...made, id: kept.id, created: kept.created };
}

/** Refuses prices that do not exist and quantities of what is metered. */
export function checkedItem(item: LineItem, param: string, defaultQuantity?: number): LineItem {
  const price = findPrice(item.price);
  if (price === undefined) throw noSuch('price', item.price, `${param}[price]`);
  if (isMetered(price)) {
    if (item.quantity === undefined) return item;
    throw invalidParameter(
      `${param}[quantity]`,
      'Quantity should not be specified where usage_type is `metered`.',
    );
  }
  const quantity = item.quantity ?? defaultQuantity;
  if (quantity === undefined) throw invalidParameter(`${param}[quantity]`, 'Quantity is required.');
  return { ...item, quantity };
}

export function newItem(
  subscription: { readonly id: string; readonly nowMs: number; readonly anchor: number },
  { price: priceId, quantity }: LineItem,
): SubscriptionItem {
  const price = findPrice(priceId);
  if (price === undefined) throw noSuch('price', priceId, 'price');
  const { start, end } = monthOf(subscription.anchor, subscription.nowMs);
  return {
    id: newId('si'),
    object: 'subscription_item',
    created: seconds(subscription.nowMs),
    current_period_start: start,
    current_period_end: end,
    metadata: {},
    price,
    ...(quantity === undefined ? {} : { quantity }),
    subscription: subscription.id,
  };
}

/** The subscription with the billing month that contains `nowMs`. */
export function renewed(subscription: Subscription, nowMs: number): Subscription {
  if (subscription.status === 'canceled') return subscription;
  const { start, end } = monthOf(subscription.billing_cycle_anchor, nowMs);
  const items = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }));
  return { ...subscription, items: { ...subscription.items, data: items } };
}

/** The billing month, counted from the anchor's day, that contains a moment. */
function monthOf(anchor: number, nowMs: number): { start: number; end: number } {
  const boundary = (months: number): number => {
    const date = new Date(anchor * 1_000);
    return seconds(date.setUTCMonth(date.getUTCMonth() + months));
  };
  let months = 0;
  while (boundary(months + 1) * 1_000 <= nowMs) months++;
  return { start: boundary(months), end: boundary(months + 1) };
}

export function itemList(subscriptionId: string, data: readonly SubscriptionItem[]): List<SubscriptionItem> {
  return {
    object: 'list',
    data,
    has_more: false,
    url: `/v1/subscription_items?subscription=${subscriptionId}`,
  };
}
