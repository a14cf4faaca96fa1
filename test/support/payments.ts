import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import Stripe from 'stripe';
import type { Handler } from '../../infra/local/http/functions.ts';
import { startHttpServer } from '../../infra/local/http/httpServer.ts';
import { startSimulatedPayments } from '../../infra/local/payments/simulation.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { temporaryFolder } from './service.ts';

/** A delivery as the webhook received it. */
export interface Delivery {
  readonly body: string;
  readonly signature: string;
  readonly event: Stripe.Event;
}

export interface StandIn {
  readonly file: string;
  readonly apiBase: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly stripe: Stripe;
  /** The address of the pages and of a webhook that records deliveries. */
  readonly baseUrl: string;
  readonly deliveries: Delivery[];
  /** The webhook's answer. */
  readonly webhook: { status: number };
  /** The provider's clock. */
  readonly clock: { offsetMs: number };
  /** Sends a request that the SDK would not send. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  readonly body: any;
}

/** The simulated provider and its pages over HTTP in this process, in front of a webhook that records. */
export async function startStandIn(
  file = path.join(temporaryFolder(), 'payments.json'),
  { clock = { offsetMs: 0 }, webhook = { status: 200 } }: Partial<Pick<StandIn, 'clock' | 'webhook'>> = {},
): Promise<StandIn> {
  const deliveries: Delivery[] = [];
  const simulation = await startSimulatedPayments(file, () => Date.now() + clock.offsetMs);
  const record: Handler = async ({ body = '', headers }: APIGatewayProxyEventV2) => {
    deliveries.push({ body, signature: headers['stripe-signature'] ?? '', event: JSON.parse(body) });
    return { statusCode: webhook.status };
  };
  const functions = new Map<string, Handler>([
    ['billing/webhook', record],
    ['fallback/notFound', async () => ({ statusCode: 404 })],
  ]);
  const { pages } = simulation;
  const server = await startHttpServer({ host: '127.0.0.1', port: 0, contracts, functions, pages });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const close = simulation.open(baseUrl);
  const { apiBase } = simulation;
  const { STRIPE_SECRET_KEY: secretKey = '', STRIPE_WEBHOOK_SECRETS: webhookSecret = '' } =
    simulation.environment;
  return {
    file,
    apiBase,
    secretKey,
    webhookSecret,
    stripe: stripeFor(apiBase, secretKey),
    baseUrl,
    deliveries,
    webhook,
    clock,
    call: (method, where, options) => callProvider(apiBase, secretKey, method, where, options),
    async stop() {
      await close();
      await server.stop();
      await simulation.stop();
    },
  };
}

export function stripeFor(apiBase: string, secretKey: string): Stripe {
  const { hostname, port } = new URL(apiBase);
  return new Stripe(secretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
}

export async function callProvider(
  apiBase: string,
  secretKey: string,
  method: string,
  where: string,
  { form, headers }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(apiBase + where, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, ...headers },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Begins a checkout of Pro like the service. */
export async function beginCheckout(
  stripe: Stripe,
  options: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session> {
  const customer = await stripe.customers.create({ metadata: { org_id: 'org-1' } });
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    client_reference_id: 'org-1',
    line_items: [{ price: 'price_pro', quantity: 1 }, { price: 'price_pro_overage' }],
    success_url: 'http://127.0.0.1:1/paid?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:1/cancelled',
    metadata: { org_id: 'org-1' },
    subscription_data: { metadata: { org_id: 'org-1' } },
    ...options,
  });
}

export function removeFolderOf(file: string): void {
  if (existsSync(file)) rmSync(path.dirname(file), { recursive: true, force: true });
}
