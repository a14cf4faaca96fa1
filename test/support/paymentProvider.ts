import { type ApiRequest, answerOf, refusal, startPaymentApiServer } from '../../infra/local/payments/api.ts';
import { findPrice } from '../../infra/local/payments/catalogue.ts';
import {
  completeCheckout,
  type Moment,
  requireItem,
  startSubscription,
} from '../../infra/local/payments/provider.ts';
import { ProviderError } from '../../infra/local/payments/providerError.ts';
import { environmentOf } from '../../infra/local/payments/simulation.ts';
import {
  emptyState,
  type PaymentStore,
  type PaymentsState,
  type Subscription,
  type SubscriptionStatus,
} from '../../infra/local/payments/store.ts';
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

/** What tests change about the provider. All of it may change at any time. */
interface ProviderHooks {
  /**
   * `down`: every request gets a 500. `drop`: a request is carried out and its answer is lost. `stall`: no answer
   * comes. `unauthorised`: no secret key is accepted.
   */
  fault: 'down' | 'drop' | 'stall' | 'unauthorised' | undefined;
  /** Awaited before a request is carried out, and again before its answer is sent. May throw the first time. */
  delay: (when: 'received' | 'answered', request: ApiRequest) => Promise<void>;
}

/** The simulated provider without its pages and events: tests pay, and send events, themselves. */
export interface PaymentProvider {
  readonly env: Readonly<Record<string, string>>;
  readonly hooks: ProviderHooks;
  readonly calls: Call[];
  readonly state: Readonly<PaymentsState>;
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
  const meteredRuns: MeteredRuns[] = [];
  const state = emptyState();
  const store: PaymentStore = (make) => {
    forgetIdentifiers(state, provider.now());
    const known = state.meterEvents.length;
    const result = make(state);
    meteredRuns.push(...meteredSince(state, known));
    return result;
  };
  const hooks: ProviderHooks = { fault: undefined, delay: async () => {} };
  const calls: Call[] = [];
  const carriedOut = async (request: ApiRequest) => {
    try {
      await hooks.delay('received', request);
    } catch (error) {
      return refusal(error);
    }
    if (hooks.fault === 'stall') return new Promise<never>(() => {});
    if (hooks.fault === 'down') return refusal(new ProviderError(500, 'The provider is down.'));
    if (hooks.fault === 'unauthorised') return refusal(new ProviderError(401, 'Invalid API Key provided.'));
    return answerOf({ store, now: () => provider.now(), baseUrl: () => PAGES_URL }, request);
  };
  const server = await startPaymentApiServer(async (request) => {
    calls.push({ ...request, form: Object.fromEntries(new URLSearchParams(request.body)) });
    const answer = await carriedOut(request);
    await hooks.delay('answered', request);
    return hooks.fault === 'drop' ? undefined : answer;
  });
  const moment = (): Moment => ({
    state,
    // A second apart: the provider's times are whole seconds, and the newest subscription counts.
    nowMs: provider.now() + state.subscriptions.length * 1_000,
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
    deleteCustomer(id) {
      state.customers = state.customers.filter((customer) => customer.id !== id);
      for (const subscription of state.subscriptions)
        if (subscription.customer === id) subscription.status = 'canceled';
    },
    subscribe(customer, price, fields = {}) {
      const sold = FORMER_PRICES[price] ?? price;
      const prices = [sold, `${sold}_overage`];
      const subscription = startSubscription(moment(), { customer, prices, metadata: {} });
      return Object.assign(provided(subscription), { price }, fields);
    },
    pay(url) {
      const checkout = requireItem(state.checkouts, 'checkout.session', url.slice(url.lastIndexOf('/') + 1));
      if (checkout.status !== 'open') return undefined;
      completeCheckout(moment(), checkout.id);
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

const meteredSince = ({ meterEvents, subscriptions }: PaymentsState, known: number): MeteredRuns[] =>
  meterEvents.slice(known).map(({ payload }) => {
    const { stripe_customer_id: customer } = payload;
    const newest = subscriptions.findLast((subscription) => subscription.customer === customer);
    return { customer, value: Number(payload.value), soldAt: newest && provided(newest).price };
  });

const provided = (subscription: Subscription): ProvidedSubscription => ({
  id: subscription.id,
  get price() {
    return subscription.items.data[0]?.price.id ?? '';
  },
  set price(id) {
    for (const [index, item] of subscription.items.data.entries()) {
      const named = index === 0 ? id : `${id}_overage`;
      item.price = findPrice(named) ?? { ...item.price, id: named };
    }
  },
  get status() {
    return subscription.status;
  },
  set status(status) {
    subscription.status = status;
  },
});
