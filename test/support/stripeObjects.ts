import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

export interface Answer {
  readonly status: number;
  readonly body: object;
}

interface CheckoutSession {
  readonly id: string;
  readonly customer: string;
  readonly price: string;
  /** Seconds since 1970. */
  readonly created: number;
  status: 'open' | 'complete' | 'expired';
}

export interface StandInSubscription {
  readonly id: string;
  readonly customer: string;
  readonly created: number;
  price: string;
  status: string;
  cancel_at: number | null;
}

interface MeterEvent {
  readonly identifier: string;
  readonly customer: string;
  readonly value: number;
  /** What the customer's newest subscription was sold at when this was told. */
  readonly soldAt: string | undefined;
  readonly acceptedAt: number;
}

interface Customer {
  readonly id: string;
  readonly orgId: string;
  deleted?: boolean;
}

/** What the provider knows. */
export interface ProviderState {
  readonly customers: Customer[];
  readonly checkouts: CheckoutSession[];
  readonly subscriptions: StandInSubscription[];
  /** Those that were accepted: an identifier is known again for a day, not for longer. */
  readonly meterEvents: MeterEvent[];
  /** What time it is at the provider: milliseconds since 1970. */
  now: () => number;
}

export const DAY_MS = 86_400_000;

export const failure = (status: number, error: Record<string, string>): Answer => ({
  status,
  body: { error },
});

const invalid = (fields: Record<string, string>): Answer =>
  failure(400, { type: 'invalid_request_error', ...fields });

const missing = (param: string, id: string): Answer =>
  invalid({ code: 'resource_missing', param, message: `No such ${param}: '${id}'` });

const ok = (body: object): Answer => ({ status: 200, body });

const listOf = (url: string, data: readonly object[]): Answer =>
  ok({ object: 'list', data, has_more: false, url });

type Act = (state: ProviderState, call: Call, id: string) => Answer;

/** What the provider does at each method and path; `:id` is handed over. */
const ACTS: Readonly<Record<string, Act>> = {
  'POST /v1/customers': createCustomer,
  'GET /v1/checkout/sessions': listCheckouts,
  'POST /v1/checkout/sessions': createCheckout,
  'POST /v1/checkout/sessions/:id/expire': expireCheckout,
  'POST /v1/billing_portal/sessions': createPortal,
  'GET /v1/subscriptions': listSubscriptions,
  'GET /v1/subscriptions/:id': ({ subscriptions }, _, id) => {
    const found = subscriptions.find((subscription) => subscription.id === id);
    return found === undefined ? missing('id', id) : ok(subscriptionBody(found));
  },
  'POST /v1/subscriptions/:id': updateSubscription,
  'POST /v1/billing/meter_events': takeMeterEvent,
};

export function act(state: ProviderState, call: Call): Answer {
  const [, id = ''] = /\/((?:cs|sub)_[^/]+)/.exec(call.path) ?? [];
  const known = ACTS[`${call.method} ${id === '' ? call.path : call.path.replace(id, ':id')}`];
  if (known !== undefined) return known(state, call, id);
  const message = `Unrecognized request URL ${call.path}`;
  return failure(404, { type: 'invalid_request_error', message });
}

function createCustomer({ customers }: ProviderState, { form }: Call): Answer {
  const id = `cus_${randomUUID()}`;
  customers.push({ id, orgId: form.get('metadata[org_id]') ?? '' });
  return ok({ id, object: 'customer' });
}

function createCheckout({ checkouts, now }: ProviderState, { form }: Call): Answer {
  if (form.get('success_url')?.includes('refused.example')) {
    return invalid({ code: 'url_invalid', param: 'success_url', message: 'Not a valid URL' });
  }
  const session: CheckoutSession = {
    id: `cs_test_${randomUUID()}`,
    customer: form.get('customer') ?? '',
    price: form.get('line_items[0][price]') ?? '',
    created: Math.floor(now() / 1_000),
    status: 'open',
  };
  checkouts.push(session);
  return ok({ ...session, object: 'checkout.session', url: `https://checkout.example/${session.id}` });
}

function listCheckouts({ checkouts }: ProviderState, { query }: Call): Answer {
  const found = checkouts.filter(
    ({ customer, status }) =>
      customer === query.get('customer') && (!query.has('status') || status === query.get('status')),
  );
  // A copy: it is sent as it is now.
  const data = found.toReversed().map((session) => ({ ...session, object: 'checkout.session' }));
  return listOf('/v1/checkout/sessions', data);
}

function expireCheckout({ checkouts }: ProviderState, _: Call, id: string): Answer {
  const session = checkouts.find((checkout) => checkout.id === id);
  if (session === undefined) return missing('id', id);
  if (session.status !== 'open') {
    return invalid({ message: `Only Checkout Sessions with a status in ["open"] can be expired.` });
  }
  session.status = 'expired';
  return ok({ ...session, object: 'checkout.session' });
}

function createPortal(_: ProviderState, { form }: Call): Answer {
  if (form.get('flow_data[type]')?.startsWith('subscription_update')) {
    // Every subscription of ours has two prices.
    return invalid({ param: 'flow_data[type]', message: 'This subscription cannot be updated.' });
  }
  return ok({ object: 'billing_portal.session', url: `https://portal.example/${form.get('customer')}` });
}

function listSubscriptions({ customers, subscriptions }: ProviderState, { query }: Call): Answer {
  const customer = query.get('customer') ?? '';
  if (!customers.some(({ id, deleted }) => id === customer && !deleted)) return missing('customer', customer);
  const found = subscriptions.filter((subscription) => subscription.customer === customer);
  return listOf('/v1/subscriptions', found.toReversed().map(subscriptionBody));
}

/** The ids of its two items, whatever their prices. */
const itemIds = ({ id }: StandInSubscription) => [`si_monthly_${id}`, `si_metered_${id}`] as const;

function subscriptionBody(subscription: StandInSubscription): object {
  const { price, ...fields } = subscription;
  const [monthly, metered] = itemIds(subscription);
  const data = [
    { id: monthly, price: { id: price, recurring: { usage_type: 'licensed' } } },
    { id: metered, price: { id: `${price}_overage`, recurring: { usage_type: 'metered' } } },
  ];
  return { object: 'subscription', ...fields, items: { object: 'list', data } };
}

/** Takes a change of both prices at once, in place, invoiced at once: what else is asked is a mistake. */
function updateSubscription({ subscriptions }: ProviderState, { form }: Call, id: string): Answer {
  const subscription = subscriptions.find((candidate) => candidate.id === id);
  if (subscription === undefined) return missing('id', id);
  if (subscription.status === 'canceled') {
    return invalid({ message: 'A canceled subscription can only update its cancellation_details.' });
  }
  const [monthly, metered] = itemIds(subscription);
  const price = form.get('items[0][price]') ?? '';
  const wanted = {
    'items[0][id]': monthly,
    'items[0][price]': price,
    'items[1][id]': metered,
    'items[1][price]': `${price}_overage`,
    proration_behavior: 'always_invoice',
  };
  const isWhole =
    form.size === 5 && Object.entries(wanted).every(([name, value]) => form.get(name) === value);
  if (!isWhole) return invalid({ message: `Not a change of plan: ${form}` });
  subscription.price = price;
  return ok(subscriptionBody(subscription));
}

function takeMeterEvent({ meterEvents, subscriptions, now }: ProviderState, { form }: Call): Answer {
  const identifier = form.get('identifier') ?? '';
  const isKnown = (event: MeterEvent) => event.identifier === identifier && now() - event.acceptedAt < DAY_MS;
  if (meterEvents.some(isKnown)) {
    return invalid({ message: `An event already exists with identifier ${identifier}.` });
  }
  const customer = form.get('payload[stripe_customer_id]') ?? '';
  meterEvents.push({
    identifier,
    customer,
    value: Number(form.get('payload[value]')),
    soldAt: subscriptions.findLast((subscription) => subscription.customer === customer)?.price,
    acceptedAt: now(),
  });
  return ok({ object: 'billing.meter_event', identifier, ...Object.fromEntries(form) });
}
