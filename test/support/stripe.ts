import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WEBHOOK_SECRETS } from './stripeEvents.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

interface MeterEvent {
  readonly identifier: string;
  readonly customer: string;
  readonly value: number;
  readonly acceptedAt: number;
}

const DAY_MS = 86_400_000;

interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface StandInSubscription {
  readonly id: string;
  readonly customer: string;
  readonly created: number;
  price: string;
  status: string;
  cancel_at: number | null;
}

/** `drop`: does what it is asked, and the answer is lost. `stall`: never answers. */
export type Mood = 'well' | 'down' | 'drop' | 'stall' | 'unauthorised';

export interface StripeStandIn {
  readonly env: Record<string, string>;
  readonly calls: Call[];
  readonly customers: { readonly id: string; readonly orgId: string; deleted?: boolean }[];
  readonly subscriptions: StandInSubscription[];
  /** Those that were accepted: an identifier is known again for a day, not for longer. */
  readonly meterEvents: MeterEvent[];
  /** What time it is at the provider: milliseconds since 1970. */
  now: () => number;
  mood: Mood;
  /** Idempotency keys are kept for a day at least, or not: then only identifiers are known again. */
  knowsIdempotencyKeys: boolean;
  /** Waited for before it looks anything up, and again with the answer in hand. */
  delay: (when: 'asked' | 'known') => Promise<void>;
  customerOf(orgId: string): string;
  subscribe(customer: string, price: string, fields?: Partial<StandInSubscription>): StandInSubscription;
  /** The sum of what was told for a customer. */
  told(customer: string): number;
  stop(): Promise<void>;
}

type Replays = Map<string, { readonly answer: Answer; readonly at: number }>;

const failure = (status: number, error: Record<string, string>): Answer => ({ status, body: { error } });

const missing = (param: string, id: string): Answer =>
  failure(400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${param}: '${id}'`,
  });

/** A stand-in for the payment provider in its own wire format: forms in, JSON out, Stripe's errors. */
export async function startStripe(): Promise<StripeStandIn> {
  const replays: Replays = new Map();
  const server = createServer((request, response) => {
    void respond(standIn, replays, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: StripeStandIn = {
    env: {
      STRIPE_API_BASE: url,
      STRIPE_SECRET_KEY: 'sk_test_standin',
      STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRETS.join(', '),
      STRIPE_PRICE_PRO: 'price_pro, price_pro_2025',
      STRIPE_PRICE_SCALE: 'price_scale',
      STRIPE_PRICE_PRO_OVERAGE: 'price_pro_overage',
      STRIPE_PRICE_SCALE_OVERAGE: 'price_scale_overage',
      STRIPE_METER_EVENT_NAME: 'runs_beyond_plan',
    },
    calls: [],
    customers: [],
    subscriptions: [],
    meterEvents: [],
    now: Date.now,
    knowsIdempotencyKeys: true,
    mood: 'well',
    delay: async () => {},
    customerOf: (orgId) => {
      const found = standIn.customers.find((customer) => customer.orgId === orgId);
      if (found === undefined) throw new Error(`${orgId} has no customer`);
      return found.id;
    },
    subscribe(customer, price, fields = {}) {
      const created = 1_800_000_000 + standIn.subscriptions.length;
      const id = `sub_${randomUUID()}`;
      const subscription = { id, customer, price, status: 'active', cancel_at: null, created, ...fields };
      standIn.subscriptions.push(subscription);
      return subscription;
    },
    told: (customer) =>
      standIn.meterEvents
        .filter((event) => event.customer === customer)
        .reduce((sum, { value }) => sum + value, 0),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return standIn;
}

async function respond(
  standIn: StripeStandIn,
  replays: Replays,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  const call: Call = {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    form: new URLSearchParams(Buffer.concat(chunks).toString()),
    headers: request.headers,
  };
  standIn.calls.push(call);
  if (standIn.mood === 'stall') return;
  await standIn.delay('asked');
  const answer = answerOnce(standIn, replays, call);
  await standIn.delay('known');
  if (standIn.mood === 'drop') return void response.destroy();
  const headers = { 'content-type': 'application/json', 'request-id': `req_${randomUUID()}` };
  response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
}

/** What was done under an idempotency key is answered again, not done again. */
function answerOnce(standIn: StripeStandIn, replays: Replays, call: Call): Answer {
  if (standIn.mood === 'down') return failure(503, { type: 'api_error', message: 'Down' });
  if (standIn.mood === 'unauthorised' || call.headers.authorization !== 'Bearer sk_test_standin') {
    return failure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
  }
  const key = call.headers['idempotency-key'];
  if (typeof key !== 'string' || !standIn.knowsIdempotencyKeys) return act(standIn, call);
  const replayed = replays.get(key);
  if (replayed !== undefined && standIn.now() - replayed.at < DAY_MS) return replayed.answer;
  const answer = act(standIn, call);
  replays.set(key, { answer, at: standIn.now() });
  return answer;
}

function act(standIn: StripeStandIn, call: Call): Answer {
  const { form, query } = call;
  const given = (name: string): string => form.get(name) ?? '';
  const ok = (body: object): Answer => ({ status: 200, body });
  switch (`${call.method} ${call.path}`) {
    case 'POST /v1/customers': {
      const id = `cus_${randomUUID()}`;
      standIn.customers.push({ id, orgId: given('metadata[org_id]') });
      return ok({ id, object: 'customer' });
    }
    case 'POST /v1/checkout/sessions': {
      if (given('success_url').includes('refused.example')) {
        const message = 'Not a valid URL';
        return failure(400, {
          type: 'invalid_request_error',
          code: 'url_invalid',
          param: 'success_url',
          message,
        });
      }
      const id = `cs_test_${randomUUID()}`;
      return ok({ id, object: 'checkout.session', url: `https://checkout.example/${id}` });
    }
    case 'POST /v1/billing_portal/sessions':
      return ok({
        object: 'billing_portal.session',
        url: `https://portal.example/${given('customer')}`,
      });
    case 'GET /v1/subscriptions':
      return subscriptionsOf(standIn, query.get('customer') ?? '');
    case 'POST /v1/billing/meter_events':
      return takeMeterEvent(standIn, form);
    default:
      return failure(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL ${call.path}`,
      });
  }
}

function subscriptionsOf({ customers, subscriptions }: StripeStandIn, customer: string): Answer {
  if (!customers.some(({ id, deleted }) => id === customer && !deleted)) return missing('customer', customer);
  const data = subscriptions
    .filter((subscription) => subscription.customer === customer)
    .toReversed()
    .map(({ price, ...subscription }) => ({
      object: 'subscription',
      ...subscription,
      items: { object: 'list', data: [{ price: { id: price } }, { price: { id: `${price}_overage` } }] },
    }));
  return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/subscriptions' } };
}

function takeMeterEvent({ meterEvents, now }: StripeStandIn, form: URLSearchParams): Answer {
  const identifier = form.get('identifier') ?? '';
  const isKnown = (event: MeterEvent) => event.identifier === identifier && now() - event.acceptedAt < DAY_MS;
  if (meterEvents.some(isKnown)) {
    const message = `An event already exists with identifier ${identifier}.`;
    return failure(400, { type: 'invalid_request_error', message });
  }
  meterEvents.push({
    identifier,
    customer: form.get('payload[stripe_customer_id]') ?? '',
    value: Number(form.get('payload[value]')),
    acceptedAt: now(),
  });
  return { status: 200, body: { object: 'billing.meter_event', identifier, ...Object.fromEntries(form) } };
}
