import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Handler } from '../../../../infra/local/http/functions.ts';
import { type HttpServer, startHttpServer } from '../../../../infra/local/http/httpServer.ts';
import { connectPayments } from '../../../../infra/local/payments/connect.ts';
import {
  type SimulatedPayments,
  startSimulatedPayments,
} from '../../../../infra/local/payments/simulation.ts';
import type { PaymentsState } from '../../../../infra/local/payments/store.ts';
import { StartupError } from '../../../../infra/local/startupError.ts';
import { stripePayments } from '../../../../shared/billing/stripePayments.ts';
import { customerOfEvent } from '../../../../shared/billing/webhookEvents.ts';
import { contracts } from '../../../../shared/contracts/registry.ts';
import { readPayments } from '../../../../shared/runtime/paymentsConfig.ts';
import { checkout, newOrganisation } from '../../../functions/billing/buyer.ts';
import type { Api } from '../../../support/api.ts';
import { describeInBrowser } from '../../../support/browser.ts';
import { openBrowser } from '../../../support/chromium.ts';
import { type OwnService, startOwnService } from '../../../support/ownService.ts';
import { eventually, temporaryFolder } from '../../../support/service.ts';

const HOUR_MS = 3_600_000;
const folder = temporaryFolder();
const file = path.join(folder, 'payments.json');
const clock = { offsetMs: 0 };
interface Delivery {
  readonly body: string;
  readonly signature: string | undefined;
}
/** What the webhook received. It answers what the service does, unless a test gives it a status. */
const deliveries: Delivery[] = [];
const webhook: { status: number | undefined } = { status: undefined };

let simulation: SimulatedPayments;
let service: OwnService;
let server: HttpServer;
let baseUrl: string;
let close: () => Promise<void>;
let client: Api;
let orgId: string;

const receive: Handler = async ({ body = '', headers }: APIGatewayProxyEventV2) => {
  const signature = headers['stripe-signature'];
  deliveries.push({ body, signature });
  if (webhook.status !== undefined) return { statusCode: webhook.status };
  const signed = { 'stripe-signature': signature ?? '' };
  const url = `${service.baseUrl}/v1/billing/webhook`;
  const { status } = await fetch(url, { method: 'POST', headers: signed, body });
  return { statusCode: status };
};

/** The provider, and its pages in front of the webhook. */
async function start(): Promise<void> {
  simulation = await startSimulatedPayments(file, () => Date.now() + clock.offsetMs);
  const functions = new Map<string, Handler>([
    ['billing/webhook', receive],
    ['fallback/notFound', async () => ({ statusCode: 404 })],
  ]);
  const { pages } = simulation;
  server = await startHttpServer({ host: '127.0.0.1', port: 0, contracts, functions, pages });
  baseUrl = `http://127.0.0.1:${server.port}`;
  close = simulation.open(baseUrl);
}

async function stop(): Promise<void> {
  await close();
  await server.stop();
  await simulation.stop();
}

beforeAll(async () => {
  await start();
  service = await startOwnService(simulation.environment);
});
beforeEach(async () => {
  clock.offsetMs = 0;
  ({ client, orgId } = await newOrganisation(service.baseUrl));
});
afterAll(async () => {
  await stop();
  await service.stop();
  rmSync(folder, { recursive: true });
});

const state = (): PaymentsState => JSON.parse(readFileSync(file, 'utf8'));
const subscriptions = () => state().subscriptions.filter(({ metadata }) => metadata.org_id === orgId);
const plan = async (): Promise<string> => (await client('GET', '/v1/billing/usage')).body.plan;
const post = (url: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form), headers });
const portal = async (): Promise<string> => (await client('POST', '/v1/billing/portal')).body.portal_url;
const config = () => {
  const payments = readPayments(simulation.environment);
  if (payments === undefined) throw new Error('The provider configures no payments');
  return payments;
};

async function opened(wanted = 'pro', fields: object = {}): Promise<string> {
  const { status, body } = await checkout(client, wanted, fields);
  expect([status, body]).toEqual([200, { checkout_url: expect.stringContaining(`${baseUrl}/payments/`) }]);
  return body.checkout_url;
}

async function bought(): Promise<string> {
  expect((await post(await opened())).status).toBe(303);
  expect(await plan()).toBe('pro');
  return subscriptions()[0]?.id ?? '';
}

const authorization = (key = config().secretKey) => ({ authorization: `Bearer ${key}` });
const setStatus = (id: string, status: string, headers = authorization()) =>
  post(`${simulation.apiBase}/simulation/subscriptions/${id}`, { status }, headers);

describe('a checkout', () => {
  test('is paid once, and gives the plan before the customer is sent on', async () => {
    const url = await opened();
    expect(await plan()).toBe('free');
    const answers = await Promise.all([post(url), post(url), post(url)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409]);
    const sentOn = answers.find(({ status }) => status === 303)?.headers.get('location');
    expect(sentOn).toBe(`https://app.example/paid?session=${url.split('/').at(-1)}`);
    expect(await plan()).toBe('pro');
    expect(subscriptions()).toHaveLength(1);
    expect(await (await fetch(url)).text()).toContain('Already paid');
  });

  test('expires after a day, and when another one is opened', async () => {
    const [first, second] = [await opened(), await opened('scale')];
    expect((await post(first)).status).toBe(410);
    clock.offsetMs = 24 * HOUR_MS;
    for (const method of ['GET', 'POST']) expect((await fetch(second, { method })).status).toBe(410);
    expect(subscriptions()).toEqual([]);
  });

  test('of another plan changes the subscription there is', async () => {
    await bought();
    expect((await checkout(client, 'scale')).status).toBe(200);
    await eventually(async () => (await plan()) === 'scale');
    const prices = subscriptions().map(({ items }) => items.data.map(({ price }) => price.id));
    expect(prices).toEqual([['price_scale', 'price_scale_overage']]);
  });
});

test('a subscription can be made past due, which keeps its plan, and unpaid, which ends it', async () => {
  const id = await bought();
  expect((await setStatus(id, 'past_due')).status).toBe(200);
  expect(await (await fetch(await portal())).text()).toContain('<dd>past_due</dd>');
  expect(await plan()).toBe('pro');
  await setStatus(id, 'unpaid');
  await eventually(async () => (await plan()) === 'free');
});

test('the portal cancels its own customer’s subscription at once, for an hour', async () => {
  const other = await bought();
  ({ client, orgId } = await newOrganisation(service.baseUrl));
  const [id, url] = [await bought(), await portal()];
  expect((await post(url, { cancel: other })).status).toBe(404);
  expect((await post(url)).status).toBe(404);
  expect(await plan()).toBe('pro');
  expect((await post(url, { cancel: id })).status).toBe(303);
  expect(await plan()).toBe('free');
  expect((await post(url, { cancel: id })).status).toBe(400);
  clock.offsetMs = HOUR_MS;
  expect((await fetch(url)).status).toBe(404);
});

test.each(['http://evil.example', 'null', 'https://127.0.0.1:443', 'x'])(
  'a form of the origin %s changes nothing',
  async (origin) => {
    expect((await post(await opened(), {}, { origin })).status).toBe(403);
    expect(subscriptions()).toEqual([]);
  },
);

test('a page runs no script, is not cached, and shows text of the caller as text', async () => {
  const hostile = 'https://app.example/?"><script>alert(1)</script>';
  const page = await fetch(await opened('pro', { cancel_url: hostile }));
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; .*frame-ancestors 'none'/,
  );
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(await page.text()).not.toContain('<script');
  for (const name of ['checkout/cs_test_none', 'portal/__proto__', 'checkout/%3Cscript%3E', 'other/x']) {
    expect((await fetch(`${baseUrl}/payments/${name}`)).status).toBe(404);
  }
  expect((await fetch(await portal(), { method: 'PUT' })).status).toBe(405);
});

test('overage that is reported twice under one identifier is kept once', async () => {
  await bought();
  const customerId = subscriptions()[0]?.customer ?? '';
  const report = { id: `${orgId}:2026-11:0-7`, customerId, from: 0, to: 7, at: Date.now() };
  for (let time = 0; time < 2; time++) await stripePayments(config(), () => {}).reportOverage(report);
  const kept = state().meterEvents.filter(({ payload }) => payload.stripe_customer_id === customerId);
  expect(kept.map(({ payload }) => payload.value)).toEqual(['7']);
});

test('the API takes only its key, and only what our client sends', async () => {
  const id = await bought();
  expect((await setStatus(id, 'unpaid', authorization('sk_test_other'))).status).toBe(401);
  expect((await fetch(`${simulation.apiBase}/v1/subscriptions/${id}`)).status).toBe(401);
  expect((await setStatus('sub_none', 'unpaid')).status).toBe(404);
  expect((await setStatus(id, 'gold')).status).toBe(400);
  const refused = await post(`${simulation.apiBase}/v1/customers`, { balance: '1' }, authorization());
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('invalid_request_error'),
  ]);
  expect((await post(`${simulation.apiBase}/v1/invoices`, {}, authorization())).status).toBe(404);
  expect(await plan()).toBe('pro');
});

test.each([
  [{ kind: 'off' } as const, 'off'],
  [{ kind: 'stripe', apiBase: 'https://api.stripe.com' } as const, 'at https://api.stripe.com'],
])('payments of the kind %j have no simulated page and no file', async (payments, description) => {
  const paymentsFile = path.join(folder, 'none.json');
  const connected = await connectPayments({ payments }, { paymentsFile });
  expect([connected.description, connected.pages]).toEqual([description, undefined]);
  expect(() => statSync(paymentsFile)).toThrow('ENOENT');
});

describeInBrowser('a person with a browser', () => {
  test('pays by keyboard, is sent on to another site, and cancels in the portal', async () => {
    const browser = await openBrowser();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
    const shop = createServer((_request, response) => response.end('Thank you'));
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    const success_url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/paid`;
    await page.goto(await opened('pro', { success_url }));
    const shown = await page.getByRole('main').textContent();
    for (const text of ['no money moves', '$49.00 per month', '$3.00 per 1,000 runs'])
      expect(shown).toContain(text);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(success_url);
    expect(await plan()).toBe('pro');
    await page.goto(await portal());
    await page.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByText('canceled').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await plan()).toBe('free');
    expect(complaints).toEqual([]);
    await browser.close();
    shop.close();
  });
});

describe('the file of all that the provider keeps', () => {
  test('stops the start with a remedy if it holds something else', async () => {
    const broken = path.join(folder, 'broken.json');
    for (const text of ['', '{}', '[]']) {
      writeFileSync(broken, text);
      const starting = startSimulatedPayments(broken);
      await expect(starting).rejects.toThrow(StartupError);
      await expect(starting).rejects.toThrow('move it away, which forgets customers and subscriptions');
      expect(readFileSync(broken, 'utf8')).toBe(text);
    }
  });

  test('is for its owner alone, and holds an event until the webhook takes it, over a restart', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const url = await opened();
    webhook.status = 503;
    deliveries.length = 0;
    expect((await post(url)).status).toBe(303);
    expect(await plan()).toBe('free');
    expect(deliveries).toHaveLength(1);
    await stop();
    webhook.status = 200;
    await start();
    await eventually(() => state().events.length === 0);
    const [first, again] = deliveries;
    expect(again?.body).toBe(first?.body);
    const [{ customer = '' } = {}] = subscriptions();
    const { body = '', signature } = again ?? {};
    const delivery = { rawBody: Buffer.from(body), signature, now: Date.now() };
    expect(customerOfEvent(config(), delivery)).toEqual({ customerId: customer });
  });
});
