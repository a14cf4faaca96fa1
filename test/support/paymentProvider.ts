import { createPaymentApi } from '../../infra/local/payments/api.ts';
import type { ApiRequest } from '../../infra/local/payments/apiMessages.ts';
import { startPaymentApiServer } from '../../infra/local/payments/apiServer.ts';
import { noHooks, type ProviderHooks } from '../../infra/local/payments/hooks.ts';
import { findPrice } from '../../infra/local/payments/resources/catalogue.ts';
import type { Change } from '../../infra/local/payments/resources/change.ts';
import { checkoutOf, completeCheckout } from '../../infra/local/payments/resources/checkouts.ts';
import type {
  Price,
  Subscription,
  SubscriptionStatus,
} from '../../infra/local/payments/resources/objects.ts';
import {
  memoryPaymentStore,
  type PaymentStore,
  type PaymentsState,
  type ReadonlyState,
} from '../../infra/local/payments/resources/store.ts';
import { itemList } from '../../infra/local/payments/resources/subscriptionItems.ts';
import { deleteCustomer, startSubscription } from '../../infra/local/payments/resources/subscriptions.ts';
import { environmentOf } from '../../infra/local/payments/simulation.ts';
import { WEBHOOK_SECRETS } from './webhookEvents.ts';

export const PAGES_URL = 'https://pay.example';

interface Call extends ApiRequest {
  readonly form: Readonly<Record<string, string>>;
}

/** A subscription at the provider. What is assigned to it holds at once, and no event is sent. */
export interface ProvidedSubscription {
  readonly id: string;
  price: string;
  status: SubscriptionStatus;
}

interface MeteredRuns {
  readonly customer: string;
  readonly value: number;
  /** The monthly price of the customer's newest subscription when the provider accepted the event. */
  readonly soldAt: string | undefined;
}

/** The simulated provider without its pages and events: tests pay, and send events, themselves. */
export interface PaymentProvider {
  readonly env: Readonly<Record<string, string>>;
  readonly hooks: ProviderHooks;
  readonly calls: Call[];
  readonly state: ReadonlyState;
  readonly meteredRuns: MeteredRuns[];
  /** The time at the provider: milliseconds since 1970. */
  now: () => number;
  customersOf(orgId: string): string[];
  deleteCustomer(id: string): void;
  subscribe(
    customer: string,
    price: string,
    fields?: Partial<Pick<ProvidedSubscription, 'status'>>,
  ): ProvidedSubscription;
  /** The customer pays at the address of a checkout; undefined: it is not open. */
  pay(url: string): ProvidedSubscription | undefined;
  /** The sum of the runs that were reported for a customer. */
  reported(customer: string): number;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** A price that is no longer sold, and the one sold in its place. */
const FORMER_PRICES: Readonly<Record<string, string>> = { price_pro_2025: 'price_pro' };

export async function startPaymentProvider(): Promise<PaymentProvider> {
  const now = () => provider.now();
  const meteredRuns: MeteredRuns[] = [];
  const memory = memoryPaymentStore(now);
  const state = memory.read() as PaymentsState;
  const store: PaymentStore = {
    ...memory,
    change(make) {
      forgetIdentifiers(state, now());
      const known = state.meterEvents.length;
      const result = memory.change(make);
      meteredRuns.push(...meteredSince(state, known));
      return result;
    },
  };
  const hooks = noHooks();
  const calls: Call[] = [];
  const dependencies = { store, now, hooks, baseUrl: () => PAGES_URL };
  const api = createPaymentApi({ ...dependencies, deliverAgain: async () => 0, changed: () => {} });
  const server = await startPaymentApiServer((request) => {
    calls.push({ ...request, form: Object.fromEntries(new URLSearchParams(request.body)) });
    return api(request);
  });
  const change = (): Change => ({
    state,
    // A second apart: the provider's times are whole seconds, and the newest subscription counts.
    nowMs: now() + state.subscriptions.length * 1_000,
    baseUrl: PAGES_URL,
    request: { id: null, idempotency_key: null },
  });
  const provider: PaymentProvider = {
    env: {
      ...environmentOf(server.url, state),
      STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRETS.join(', '),
      STRIPE_PRICE_PRO: ['price_pro', ...Object.keys(FORMER_PRICES)].join(', '),
    },
    hooks,
    calls,
    state,
    meteredRuns,
    now: Date.now,
    customersOf: (orgId) =>
      state.customers.filter(({ metadata }) => metadata.org_id === orgId).map(({ id }) => id),
    deleteCustomer: (id) => void deleteCustomer(change(), id),
    subscribe(customer, price, fields = {}) {
      const sold = FORMER_PRICES[price] ?? price;
      const lineItems = [
        { price: sold, quantity: 1 },
        { price: `${sold}_overage`, quantity: undefined },
      ];
      const subscription = startSubscription(change(), { customer, lineItems, metadata: {} });
      return Object.assign(provided(subscription), { price }, fields);
    },
    pay(url) {
      const id = url.slice(url.lastIndexOf('/') + 1);
      if (checkoutOf({ state }, id).session.status !== 'open') return undefined;
      completeCheckout(change(), id);
      const subscription = state.subscriptions.at(-1);
      return subscription && provided(subscription);
    },
    reported: (customer) =>
      meteredRuns.filter((runs) => runs.customer === customer).reduce((sum, { value }) => sum + value, 0),
    stop: () => server.stop(),
  };
  return provider;
}

/** The provider promises to recognise the identifier of a meter event for a day, and no longer. */
function forgetIdentifiers(state: PaymentsState, nowMs: number): void {
  state.meterEvents = state.meterEvents.filter(({ created }) => nowMs - created * 1_000 < DAY_MS);
}

const meteredSince = ({ meterEvents, subscriptions }: ReadonlyState, known: number): MeteredRuns[] =>
  meterEvents.slice(known).map(({ payload }) => {
    const customer = payload.stripe_customer_id ?? '';
    const newest = subscriptions.findLast((subscription) => subscription.customer === customer);
    return { customer, value: Number(payload.value), soldAt: newest && provided(newest).price };
  });

const provided = (subscription: Subscription): ProvidedSubscription => ({
  id: subscription.id,
  get price() {
    return subscription.items.data[0]?.price.id ?? '';
  },
  set price(id) {
    const prices = [id, `${id}_overage`];
    const data = subscription.items.data.map((item, index) => ({
      ...item,
      price: priceNamed(prices[index] ?? '', item.price),
    }));
    subscription.items = itemList(subscription.id, data);
  },
  get status() {
    return subscription.status;
  },
  set status(status) {
    subscription.status = status;
  },
});

const priceNamed = (id: string, otherwise: Price): Price => findPrice(id) ?? { ...otherwise, id };
