import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import type Stripe from 'stripe';
import { describeInBrowser, openBrowser } from '../../../../support/browser.ts';
import { beginCheckout, removeFolderOf, type StandIn, startStandIn } from '../../../../support/payments.ts';

let provider: StandIn;
beforeAll(async () => {
  provider = await startStandIn();
});
beforeEach(() => {
  provider.clock.offsetMs = 0;
  provider.deliveries.length = 0;
});
afterAll(async () => {
  await provider.stop();
  removeFolderOf(provider.file);
});

const statusOf = async ({ id }: Stripe.Checkout.Session) =>
  (await provider.stripe.checkout.sessions.retrieve(id)).status;

async function beginPortal(return_url?: string): Promise<{ url: string; subscription: string }> {
  const session = await beginCheckout(provider.stripe);
  await fetch(session.url ?? '', { method: 'POST', redirect: 'manual' });
  const { customer, subscription } = await provider.stripe.checkout.sessions.retrieve(session.id);
  const portal = await provider.stripe.billingPortal.sessions.create({
    customer: String(customer),
    ...(return_url === undefined ? {} : { return_url }),
  });
  return { url: portal.url, subscription: String(subscription) };
}

const planOf = async (subscription: string) => {
  const { items, status } = await provider.stripe.subscriptions.retrieve(subscription);
  return [status, ...items.data.map(({ price }) => price.id)];
};

describe('without a browser', () => {
  const post = (url: string, headers: Record<string, string> = {}, body?: URLSearchParams) =>
    fetch(url, { method: 'POST', redirect: 'manual', headers, ...(body === undefined ? {} : { body }) });

  test('a bare POST to the checkout pays and leads to success_url with the session in it', async () => {
    const session = await beginCheckout(provider.stripe);
    const answer = await post(session.url ?? '');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `http://127.0.0.1:1/paid?session=${session.id}`,
    ]);
    expect(await statusOf(session)).toBe('complete');
  });

  test('paying twice pays once: the second answer is 409 and says so', async () => {
    const session = await beginCheckout(provider.stripe);
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(session.url ?? '')));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409, 409]);
    const second = await post(session.url ?? '');
    expect(second.status).toBe(409);
    expect(await second.text()).toContain('Already paid');
    const { data } = await provider.stripe.subscriptions.list({ customer: String(session.customer) });
    expect(data).toHaveLength(1);
    expect(provider.deliveries).toHaveLength(3);
  });

  test('an expired checkout is 410 and is not paid', async () => {
    const session = await beginCheckout(provider.stripe);
    provider.clock.offsetMs = 24 * 3_600_000;
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(session.url ?? '', { method, redirect: 'manual' });
      expect([answer.status, await answer.text()]).toEqual([410, expect.stringContaining('expired')]);
    }
    expect(provider.deliveries).toEqual([]);
  });

  test.each(['checkout', 'portal'])('an unknown %s is 404 for every method', async (kind) => {
    for (const id of ['cs_test_none', '__proto__', '%3Cscript%3E', '<b>']) {
      for (const method of ['GET', 'POST', 'HEAD']) {
        const answer = await fetch(`${provider.baseUrl}/payments/${kind}/${id}`, { method });
        expect(answer.status).toBe(404);
        expect(await answer.text()).not.toMatch(/<script|<b>/);
      }
    }
  });

  test('an expired portal is 404', async () => {
    const { url } = await beginPortal();
    provider.clock.offsetMs = 3_600_000;
    expect((await fetch(url)).status).toBe(404);
  });

  test.each(['http://evil.example', 'null', 'http://127.0.0.1', 'https://evil.example:443', 'x'])(
    'a form of the origin %s changes nothing: 403',
    async (origin) => {
      const session = await beginCheckout(provider.stripe);
      expect((await post(session.url ?? '', { origin })).status).toBe(403);
      expect(await statusOf(session)).toBe('open');
      const { url, subscription } = await beginPortal();
      const cancel = new URLSearchParams({ subscription, cancel: 'now' });
      expect((await post(url, { origin }, cancel)).status).toBe(403);
      expect((await planOf(subscription))[0]).toBe('active');
    },
  );

  test('the portal ends only its own customer’s subscriptions, and changes the plan of none', async () => {
    const [mine, other] = [await beginPortal(), await beginPortal()];
    const send = async (form: Record<string, string>) =>
      (await post(mine.url, {}, new URLSearchParams(form))).status;
    expect(await send({ subscription: other.subscription, cancel: 'now' })).toBe(404);
    expect(await send({ subscription: 'sub_none', cancel: 'now' })).toBe(404);
    expect(await send({ subscription: mine.subscription })).toBe(400);
    expect(await send({ subscription: mine.subscription, change_to: 'scale' })).toBe(400);
    expect(await send({ subscription: mine.subscription, change_to: 'scale', cancel: 'now' })).toBe(400);
    for (const { subscription } of [mine, other]) {
      expect(await planOf(subscription)).toEqual(['active', 'price_pro', 'price_pro_overage']);
    }
    expect(await send({ subscription: mine.subscription, cancel: 'now' })).toBe(303);
    expect(await send({ subscription: mine.subscription, cancel: 'now' })).toBe(400);
  });

  test('pages are not cached, not framed and run no script', async () => {
    const { url } = await beginCheckout(provider.stripe);
    const { headers } = await fetch(url ?? '');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    const put = await fetch(url ?? '', { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  test('a path without a page is an endpoint’s', async () => {
    for (const path of [
      '/payments',
      '/payments/',
      '/payments/checkout',
      '/payments/other/x',
      '/simulation/events',
    ]) {
      const answer = await fetch(provider.baseUrl + path);
      expect([answer.status, await answer.text()]).toEqual([404, '']);
    }
  });
});

describeInBrowser('in a browser', () => {
  let browser: BrowserContext;
  let page: Page;
  let shop: Server;
  let shopUrl: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    shop = createServer((request, response) => response.end(`shop ${request.url}`));
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    page = await browser.newPage();
    complaints.length = 0;
    page.on('console', (message) => void complaints.push(message.text()));
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('dialog', (dialog) => void complaints.push(dialog.message()));
  });
  afterAll(async () => {
    await browser.close();
    shop.close();
  });

  const open = async (options: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
    const session = await beginCheckout(provider.stripe, {
      success_url: `${shopUrl}/paid?session={CHECKOUT_SESSION_ID}`,
      cancel_url: `${shopUrl}/cancelled`,
      ...options,
    });
    await page.goto(session.url ?? '');
    return session;
  };

  test('the checkout shows that it is simulated, the plan and its price, and can be paid by keyboard', async () => {
    const session = await open();
    expect(await page.title()).toBe('Simulated checkout – evalgate');
    const text = await page.getByRole('main').textContent();
    expect(text).toContain('This payment provider is simulated: no card is asked for and no money moves.');
    expect(text).toMatch(/Pro\s*\$49\.00 per month/);
    expect(text).toMatch(/Pro: runs beyond the plan\s*\$3\.00 per 1,000 runs/);
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth")).not.toBe('none');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shopUrl}/paid?session=${session.id}`);
    expect(await statusOf(session)).toBe('complete');
    expect(provider.deliveries).toHaveLength(3);
    expect(complaints).toEqual([]);
  });

  test('a success_url that leads on to another site is followed', async () => {
    const elsewhere = createServer((_request, response) => {
      response.writeHead(302, { location: `${shopUrl}/welcome` }).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = elsewhere.address() as AddressInfo;
    await open({ success_url: `http://localhost:${port}/signed-in` });
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.waitForURL(`${shopUrl}/welcome`);
    elsewhere.close();
    expect(complaints).toEqual([]);
  });

  test('cancelling leads back and pays nothing', async () => {
    const session = await open();
    await page.getByRole('link', { name: 'Cancel and go back' }).click();
    await page.waitForURL(`${shopUrl}/cancelled`);
    expect(await statusOf(session)).toBe('open');
  });

  test('a checkout that is paid offers no second payment', async () => {
    const session = await open();
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.waitForURL(/paid/);
    await page.goto(session.url ?? `${provider.baseUrl}/payments/checkout/${session.id}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Already paid');
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.waitForURL(`${shopUrl}/paid?session=${session.id}`);
  });

  test('text from the caller is escaped', async () => {
    const cancel_url = `${shopUrl}/?"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
    await open({ cancel_url });
    expect(await page.locator('script, img').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Cancel and go back' }).getAttribute('href')).toBe(
      cancel_url,
    );
    expect(complaints).toEqual([]);
  });

  test('the portal shows the subscription, says where its plan is changed, and cancels it', async () => {
    const { url, subscription } = await beginPortal(`${shopUrl}/account`);
    await page.goto(url);
    expect(await page.getByRole('region', { name: 'Pro' }).textContent()).toMatch(/Status\s*active/);
    await page.getByText('The plan is changed by POST /v1/billing/checkout.').waitFor();
    expect(await page.getByRole('button').count()).toBe(1);
    await page.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByText('canceled').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect((await planOf(subscription))[0]).toBe('canceled');
    expect(provider.deliveries.slice(3).map(({ event }) => event.type)).toEqual([
      'customer.subscription.deleted',
    ]);
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.waitForURL(`${shopUrl}/account`);
    expect(complaints).toEqual([]);
  });
});
