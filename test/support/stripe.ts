import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WEBHOOK_SECRETS } from './stripeEvents.ts';
import {
  type Answer,
  act,
  type Call,
  DAY_MS,
  failure,
  type ProviderState,
  type StandInSubscription,
} from './stripeObjects.ts';

export type { StandInSubscription } from './stripeObjects.ts';

/** `down`: answers 500. `drop`: does what it is asked, and the answer is lost. `stall`: never answers. */
type Mood = 'well' | 'down' | 'drop' | 'stall' | 'unauthorised';

export interface StripeStandIn extends ProviderState {
  readonly env: Record<string, string>;
  readonly calls: Call[];
  mood: Mood;
  /** Idempotency keys are kept for a day at least, or not: then only identifiers are known again. */
  knowsIdempotencyKeys: boolean;
  /** Waited for before it looks anything up, and again with the answer in hand. */
  delay: (when: 'asked' | 'known') => Promise<void>;
  customerOf(orgId: string): string;
  subscribe(customer: string, price: string, fields?: Partial<StandInSubscription>): StandInSubscription;
  /** The customer pays at the address of a checkout; undefined: it is not open. */
  pay(url: string): StandInSubscription | undefined;
  /** The sum of what was told for a customer. */
  told(customer: string): number;
  stop(): Promise<void>;
}

type Replays = Map<string, { readonly answer: Answer; readonly at: number }>;

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
    checkouts: [],
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
    pay(url) {
      const session = standIn.checkouts.find(({ id, status }) => url.endsWith(id) && status === 'open');
      if (session === undefined) return undefined;
      session.status = 'complete';
      return standIn.subscribe(session.customer, session.price);
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

/** What was answered under an idempotency key is answered again, a 500 as well, and nothing is done. */
function answerOnce(standIn: StripeStandIn, replays: Replays, call: Call): Answer {
  if (standIn.mood === 'unauthorised' || call.headers.authorization !== 'Bearer sk_test_standin') {
    return failure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
  }
  const answerNow = () =>
    standIn.mood === 'down' ? failure(500, { type: 'api_error', message: 'Down' }) : act(standIn, call);
  const key = call.headers['idempotency-key'];
  if (typeof key !== 'string' || !standIn.knowsIdempotencyKeys) return answerNow();
  const replayed = replays.get(key);
  if (replayed !== undefined && standIn.now() - replayed.at < DAY_MS) return replayed.answer;
  const answer = answerNow();
  replays.set(key, { answer, at: standIn.now() });
  return answer;
}
