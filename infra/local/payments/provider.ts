import { randomBytes } from 'node:crypto';
import { findPrice } from './catalogue.ts';
import { noSuch, ProviderError } from './providerError.ts';
import {
  type Checkout,
  type Event,
  listOf,
  type PaymentsState,
  type Portal,
  type Subscription,
  type SubscriptionItem,
} from './store.ts';

/** The provider at one moment, within one change of its state. */
export interface Moment {
  readonly state: PaymentsState;
  readonly nowMs: number;
}

/** The version of Stripe's API that the objects follow. */
const API_VERSION = '2026-10-28.endive';
const CHECKOUT_SECONDS = 24 * 3_600;
const PORTAL_SECONDS = 3_600;

/** Too long to be guessed: knowing an id gives access to its page. */
const ID_BYTES = 20;

export const newId = (prefix: string): string => `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`;
export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

export function requireItem<T extends { readonly id: string }>(
  list: readonly T[],
  kind: string,
  id: string,
  param?: string,
): T {
  const match = list.find((candidate) => candidate.id === id);
  if (match === undefined) throw noSuch(kind, id, param);
  return match;
}

export function openCheckout(
  { state, nowMs }: Moment,
  fields: Omit<Checkout, 'id' | 'object' | 'created' | 'expires_at' | 'status'>,
): Checkout {
  requireItem(state.customers, 'customer', fields.customer, 'customer');
  for (const price of fields.prices)
    if (findPrice(price) === undefined) throw noSuch('price', price, 'price');
  const created = seconds(nowMs);
  const checkout: Checkout = {
    id: newId('cs_test'),
    object: 'checkout.session',
    created,
    expires_at: created + CHECKOUT_SECONDS,
    status: 'open',
    ...fields,
  };
  state.checkouts.push(checkout);
  return checkout;
}

/** With the status of this moment. */
export function checkoutOf({ state, nowMs }: Moment, id: string): Checkout {
  const checkout = requireItem(state.checkouts, 'checkout.session', id);
  const isLate = checkout.status === 'open' && checkout.expires_at <= seconds(nowMs);
  return isLate ? { ...checkout, status: 'expired' } : checkout;
}

/** An open checkout gets its other status once. */
export function closeCheckout(moment: Moment, id: string, status: 'complete' | 'expired'): Checkout {
  const checkout = checkoutOf(moment, id);
  if (checkout.status !== 'open')
    throw new ProviderError(400, `This checkout session is ${checkout.status}.`);
  checkout.status = status;
  return checkout;
}

export function completeCheckout(moment: Moment, id: string): Checkout {
  const checkout = closeCheckout(moment, id, 'complete');
  startSubscription(moment, checkout);
  emit(moment, 'checkout.session.completed', checkout);
  return checkout;
}

export function startSubscription(
  { state, nowMs }: Moment,
  { customer, prices, metadata }: Pick<Checkout, 'customer' | 'prices' | 'metadata'>,
): Subscription {
  const subscription: Subscription = {
    id: newId('sub'),
    object: 'subscription',
    created: seconds(nowMs),
    customer,
    metadata,
    cancel_at: null,
    items: listOf(prices.map((price) => newItem(price))),
    status: 'active',
  };
  state.subscriptions.push(subscription);
  return subscription;
}

export function newItem(priceId: string): SubscriptionItem {
  const price = findPrice(priceId);
  if (price === undefined) throw noSuch('price', priceId, 'price');
  return { id: newId('si'), object: 'subscription_item', price };
}

/** Sends the event of what `change` does to a subscription that has not ended. */
export function changeSubscription(
  moment: Moment,
  id: string,
  change: (subscription: Subscription) => void,
): Subscription {
  const subscription = requireItem(moment.state.subscriptions, 'subscription', id);
  if (isOver(subscription)) throw new ProviderError(400, 'A canceled subscription does not change.');
  change(subscription);
  const what = isOver(subscription) ? 'deleted' : 'updated';
  emit(moment, `customer.subscription.${what}`, subscription);
  return subscription;
}

const isOver = ({ status }: Subscription): boolean => status === 'canceled';

export function portalOf({ state, nowMs }: Moment, id: string): Portal {
  const portal = requireItem(state.portals, 'billing_portal.session', id);
  if (portal.created + PORTAL_SECONDS <= seconds(nowMs)) throw noSuch('billing_portal.session', id);
  return portal;
}

/** The event waits in the state until the webhook has accepted it. */
function emit({ state, nowMs }: Moment, type: Event['type'], object: Event['data']['object']): void {
  state.events.push({
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: seconds(nowMs),
    livemode: false,
    type,
    data: { object: structuredClone(object) },
  });
}
