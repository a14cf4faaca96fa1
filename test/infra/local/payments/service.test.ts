import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type Api, api, signUp } from '../../../support/api.ts';
import { describeInBrowser, openBrowser } from '../../../support/browser.ts';
import { type CallOptions, callProvider, stripeFor } from '../../../support/payments.ts';
import {
  eventually,
  type RunningService,
  runService,
  startService,
  temporaryFolder,
} from '../../../support/service.ts';

const RETURN_URLS = { success_url: 'http://127.0.0.1:1/paid', cancel_url: 'http://127.0.0.1:1/cancelled' };

const dataDir = temporaryFolder();
const paymentsFile = path.join(dataDir, 'payments.json');
let service: RunningService;
let client: Api;
beforeAll(async () => {
  service = await startService({ dataDir });
});
beforeEach(async () => {
  client = await signUp(service.baseUrl);
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const apiBase = () => /^Payments: simulated at (\S+),/m.exec(service.stdout())?.[1] ?? '';
const secretKey = (): string => JSON.parse(readFileSync(paymentsFile, 'utf8')).secretKey;
const stripe = (): Stripe => stripeFor(apiBase(), secretKey());
const provider = (method: string, where: string, form?: CallOptions['form']) =>
  callProvider(apiBase(), secretKey(), method, where, form === undefined ? {} : { form });

async function checkout(plan: string): Promise<string> {
  const { status, body } = await client('POST', '/v1/billing/checkout', { plan, ...RETURN_URLS });
  expect([status, body]).toEqual([200, { checkout_url: expect.stringContaining(service.baseUrl) }]);
  return body.checkout_url;
}

async function portal(): Promise<string> {
  const { status, body } = await client('POST', '/v1/billing/portal');
  expect([status, body]).toEqual([200, { portal_url: expect.stringContaining(service.baseUrl) }]);
  return body.portal_url;
}

const usage = async () => (await client('GET', '/v1/billing/usage')).body;
const plan = async (): Promise<string> => (await usage()).plan;
const post = (url: string, form: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });

/** The events about the organisation that bought, oldest first. */
async function eventsOf(checkoutUrl: string): Promise<Stripe.Event[]> {
  const { customer } = await stripe().checkout.sessions.retrieve(checkoutUrl.split('/').at(-1) ?? '');
  const { body } = await provider('GET', '/simulation/events');
  const events: Stripe.Event[] = body.data.map(({ event }: { event: Stripe.Event }) => event);
  return events.filter(({ data }) => (data.object as { customer?: unknown }).customer === customer);
}

async function deliver(event: Stripe.Event | undefined): Promise<void> {
  const { body } = await provider('POST', `/simulation/events/${event?.id}/deliver`);
  expect(body).toEqual({ status: 200 });
}

test('the banner says that payments are simulated, and at which address', () => {
  expect(service.stdout()).toContain(`its keys in ${paymentsFile}\n`);
  expect(apiBase()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(statSync(paymentsFile).mode & 0o777).toBe(0o600);
  expect(service.stdout()).not.toContain(secretKey());
});

test('a customer has the plan when the page redirects after payment, and not before', async () => {
  const url = await checkout('pro');
  expect(await plan()).toBe('free');
  expect((await post(url)).status).toBe(303);
  expect(await usage()).toMatchObject({ plan: 'pro', plan_name: 'Pro', monthly_limit: 15_000 });
});

test('each event five times, in order and backwards, changes nothing more', async () => {
  const url = await checkout('scale');
  await post(url);
  const before = await usage();
  expect(before.plan).toBe('scale');
  const events = await eventsOf(url);
  expect(events).toHaveLength(3);
  for (const event of [...events, ...events.toReversed()]) {
    for (let time = 0; time < 5; time++) await deliver(event);
  }
  await Promise.all(events.flatMap((event) => [deliver(event), deliver(event)]));
  expect(await usage()).toEqual(before);
});

test('a subscriber changes to another plan and back by the checkout, with one subscription', async () => {
  await post(await checkout('pro'));
  for (const wanted of ['scale', 'pro']) {
    const fields = {
      plan: wanted,
      ...RETURN_URLS,
      success_url: 'http://127.0.0.1:1/?s={CHECKOUT_SESSION_ID}',
    };
    const { status, body } = await client('POST', '/v1/billing/checkout', fields);
    expect([status, body.checkout_url]).toEqual([
      200,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/\?s=sub_\w+$/),
    ]);
    expect(await plan()).toBe(wanted);
    const subscription = await stripe().subscriptions.retrieve(body.checkout_url.split('=')[1]);
    expect(subscription.items.data.map(({ price }) => price.id)).toEqual([
      `price_${wanted}`,
      `price_${wanted}_overage`,
    ]);
    const again = await client('POST', '/v1/billing/checkout', { plan: wanted, ...RETURN_URLS });
    expect(again.status).toBe(400);
  }
});

test('without return URLs customers return to pages of this service, after paying, cancelling and a change of plan', async () => {
  const { body } = await client('POST', '/v1/billing/checkout', { plan: 'pro' });
  const success = `${service.baseUrl}/v1/billing/checkout/success`;
  expect(await (await fetch(body.checkout_url)).text()).toContain(
    `<a href="${service.baseUrl}/v1/billing/checkout/cancelled">`,
  );
  const paid = await post(body.checkout_url);
  expect([paid.status, paid.headers.get('location')]).toEqual([303, success]);
  const moved = await client('POST', '/v1/billing/checkout', { plan: 'scale' });
  expect([moved.status, moved.body]).toEqual([200, { checkout_url: success }]);
  for (const page of [success, success.replace('success', 'cancelled')]) {
    const answer = await fetch(page);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  }
});

test('of several checkouts one can be paid, however many are opened at once', async () => {
  const first = await checkout('pro');
  const pages = [first, ...(await Promise.all(['scale', 'pro', 'scale'].map(checkout)))];
  const paid = [];
  for (const url of pages) paid.push((await post(url)).status);
  expect(paid.toSorted()).toEqual([303, 410, 410, 410]);
  expect(paid[0]).toBe(410);
});

test('a checkout succeeds at the next try after a failure of the provider', async () => {
  for (const failures of ['1', '2']) {
    await provider('POST', '/simulation/failures', { count: failures });
    const buy = () => client('POST', '/v1/billing/checkout', { plan: 'pro', ...RETURN_URLS });
    for (let failed = 0; failed < Number(failures); failed++) expect((await buy()).status).toBe(502);
    expect((await buy()).status).toBe(200);
  }
});

test('old events after a change of plan and after its end do not bring the old plan back', async () => {
  const url = await checkout('pro');
  await post(url);
  const { data } = await stripe().subscriptions.list();
  const subscription = data[0]?.id ?? '';
  await client('POST', '/v1/billing/checkout', { plan: 'scale', ...RETURN_URLS });
  expect(await plan()).toBe('scale');
  for (const event of await eventsOf(url)) await deliver(event);
  expect(await plan()).toBe('scale');
  await post(await portal(), { subscription, cancel: 'now' });
  expect(await plan()).toBe('free');
  for (const event of (await eventsOf(url)).toReversed()) await deliver(event);
  expect(await plan()).toBe('free');
});

test('events in the wrong order, the end before the beginning, lead to the right plan', async () => {
  await provider('POST', '/simulation/deliveries', { held: 'true' });
  const url = await checkout('pro');
  await post(url);
  const { data } = await stripe().subscriptions.list();
  await stripe().subscriptions.cancel(data[0]?.id ?? '');
  expect(await plan()).toBe('free');
  for (const event of (await eventsOf(url)).toReversed()) await deliver(event);
  expect(await plan()).toBe('free');
  await provider('POST', '/simulation/deliveries', { held: 'false' });
});

test('a payment whose events were undelivered at kill -9 is delivered after the next start', async () => {
  const { apiKey } = service;
  client = api(service.baseUrl, apiKey);
  await provider('POST', '/simulation/deliveries', { held: 'true' });
  expect((await post(await checkout('pro'))).status).toBe(303);
  await provider('POST', '/simulation/deliveries', { held: 'false' });
  await service.kill9();
  service = await startService({ dataDir });
  client = api(service.baseUrl, apiKey);
  await eventually(async () => (await plan()) === 'pro');
});

test('an open checkout survives kill -9 at the service’s new address', async () => {
  const old = new URL(await checkout('pro'));
  await service.kill9();
  service = await startService({ dataDir });
  const { url } = await stripe().checkout.sessions.retrieve(old.pathname.split('/').at(-1) ?? '');
  expect(url).toBe(service.baseUrl + old.pathname);
  expect((await post(url ?? '')).status).toBe(303);
});

test('a service that clients reach at another address sends them to pages there', async () => {
  const elsewhere = await startService({ env: { BASE_URL: 'https://gate.example/' } });
  const own = api(elsewhere.baseUrl, elsewhere.apiKey);
  const { body } = await own('POST', '/v1/billing/checkout', { plan: 'pro' });
  const { headers } = await post(body.checkout_url);
  expect(headers.get('location')).toBe('https://gate.example/v1/billing/checkout/success');
  await elsewhere.stop();
});

test('a wrong address of its own is refused at the start', async () => {
  const folder = temporaryFolder();
  const exit = await runService({ dataDir: folder, env: { BASE_URL: 'https://gate.example/v1' } });
  expect([exit.code, exit.stdout]).toEqual([1, '']);
  expect(exit.stderr).toContain('BASE_URL');
  rmSync(folder, { recursive: true });
});

describe('another payment provider than the simulated one', () => {
  test('answers BILLING_NOT_CONFIGURED where payments are off, and stores nothing', async () => {
    const env = { EVALGATE_PAYMENTS: 'off', STRIPE_SECRET_KEY: 'sk_test_unused' };
    const off = await startService({ env });
    expect(off.stdout()).toContain('Payments: off\n');
    const own = api(off.baseUrl, off.apiKey);
    const bought = await own('POST', '/v1/billing/checkout', { plan: 'pro', ...RETURN_URLS });
    expect([bought.status, bought.body.error.code]).toEqual([503, 'BILLING_NOT_CONFIGURED']);
    expect((await own('GET', '/v1/billing/usage')).body.plan).toBe('free');
    expect((await fetch(`${off.baseUrl}/payments/checkout/cs_test_1`)).status).toBe(404);
    expect(() => readFileSync(path.join(off.dataDir, 'payments.json'))).toThrow('ENOENT');
    await off.stop();
  });

  test('is the one that the environment names', async () => {
    const env = {
      STRIPE_API_BASE: apiBase(),
      STRIPE_SECRET_KEY: secretKey(),
      STRIPE_WEBHOOK_SECRETS: 'whsec_other',
      STRIPE_PRICE_PRO: 'price_pro',
      STRIPE_PRICE_SCALE: 'price_scale',
      STRIPE_PRICE_PRO_OVERAGE: 'price_pro_overage',
      STRIPE_PRICE_SCALE_OVERAGE: 'price_scale_overage',
      STRIPE_METER_EVENT_NAME: 'evalgate_runs_beyond_plan',
    };
    const other = await startService({ env });
    expect(other.stdout()).toContain(`Payments: at ${apiBase()}\n`);
    const own = api(other.baseUrl, other.apiKey);
    const { body } = await own('POST', '/v1/billing/checkout', { plan: 'pro', ...RETURN_URLS });
    // A page of the provider that was named, which here is the first service's.
    expect(body.checkout_url).toContain(`${service.baseUrl}/payments/checkout/`);
    await other.stop();
  });

  test('must be configured completely: the start names the missing variables', async () => {
    const folder = temporaryFolder();
    const exit = await runService({ dataDir: folder, env: { STRIPE_SECRET_KEY: 'sk_test_1' } });
    expect([exit.code, exit.stdout]).toEqual([1, '']);
    expect(exit.stderr).toContain('STRIPE_WEBHOOK_SECRETS');
    rmSync(folder, { recursive: true });
  });
});

describeInBrowser('a person with a browser', () => {
  test('buys Pro and leaves, and finds the new plan as soon as the page has changed', async () => {
    const browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(await checkout('pro'));
    await page.route(RETURN_URLS.success_url, (route) => route.fulfill({ body: 'Thank you' }));
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(RETURN_URLS.success_url);
    expect(await plan()).toBe('pro');
    await page.goto(await portal());
    await page.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByText('canceled').waitFor();
    expect(await plan()).toBe('free');
    await browser.close();
  });
});
