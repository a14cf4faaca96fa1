import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type PaymentProvider, startPaymentProvider } from '../../support/paymentProvider.ts';
import { newOrganisation, newSubscriber, RETURN_URLS } from './buyer.ts';

const BASE_URL = 'https://gate.example';
const PAGES = {
  success_url: `${BASE_URL}/v1/billing/checkout/success`,
  cancel_url: `${BASE_URL}/v1/billing/checkout/cancelled`,
};

let stripe: PaymentProvider;
let service: OwnService;
beforeAll(async () => {
  stripe = await startPaymentProvider();
  service = await startOwnService(stripe.env);
  process.env.BASE_URL = BASE_URL;
});
afterEach(() => {
  process.env.BASE_URL = BASE_URL;
});
afterAll(async () => {
  await service.stop();
  await stripe.stop();
});

const CHECKOUT = '/v1/billing/checkout';
const newestForm = () =>
  stripe.calls.findLast(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')?.form;

describe('a checkout returns', () => {
  test.each([
    [{}, PAGES],
    [{ success_url: RETURN_URLS.success_url }, { ...PAGES, success_url: RETURN_URLS.success_url }],
    [{ cancel_url: RETURN_URLS.cancel_url }, { ...PAGES, cancel_url: RETURN_URLS.cancel_url }],
    [RETURN_URLS, RETURN_URLS],
  ])('for %j to the pages named there, and to ours in place of the others', async (fields, wanted) => {
    const { client } = await newOrganisation(service.baseUrl);
    expect((await client('POST', CHECKOUT, { plan: 'pro', ...fields })).status).toBe(200);
    expect(newestForm()).toMatchObject(wanted);
  });

  test('to no address that a header of the request names', async () => {
    const { client } = await newOrganisation(service.baseUrl);
    const forged = Object.fromEntries(
      ['x-forwarded-host', 'x-original-host', 'x-host', 'forwarded', 'origin', 'referer'].map((name) => [
        name,
        name === 'forwarded' ? 'host=evil.example' : 'https://evil.example',
      ]),
    );
    expect((await client('POST', CHECKOUT, { plan: 'pro' }, forged)).status).toBe(200);
    expect(newestForm()).toMatchObject(PAGES);
  });

  test('nowhere where the deployment does not know its address: 400 names the missing field', async () => {
    delete process.env.BASE_URL;
    const { client } = await newOrganisation(service.baseUrl);
    const calls = stripe.calls.length;
    for (const [fields, missing] of [
      [{}, 'success_url'],
      [{ success_url: RETURN_URLS.success_url }, 'cancel_url'],
      [{ cancel_url: RETURN_URLS.cancel_url }, 'success_url'],
    ] as const) {
      const { status, body } = await client('POST', CHECKOUT, { plan: 'pro', ...fields });
      expect([status, body.error.details.issues[0].path]).toEqual([400, missing]);
      expect(body.error.details.issues[0].message).toContain('BASE_URL');
    }
    expect(stripe.calls).toHaveLength(calls);
    expect((await client('POST', CHECKOUT, { plan: 'pro', ...RETURN_URLS })).status).toBe(200);
  });
});

test('a change of plan without return URLs is answered with our page for after a purchase', async () => {
  const { client, ...buyer } = await newSubscriber(service, stripe);
  const { status, body } = await client('POST', CHECKOUT, { plan: 'scale' });
  expect([status, body]).toEqual([200, { checkout_url: PAGES.success_url }]);
  expect(await buyer.plan()).toBe('scale');
});

describe.each(['success', 'cancelled'])('the page after a checkout: %s', (result) => {
  const page = `/v1/billing/checkout/${result}`;
  const get = (query = '', init: RequestInit = {}) => fetch(service.baseUrl + page + query, init);

  test('is HTML that states what happened and what to do next, for every caller', async () => {
    for (const headers of [{}, { authorization: 'Bearer sesame' }]) {
      const answer = await get('', { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const html = await answer.text();
      expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(html).toMatch(/<h1>The checkout [a-z ]+<\/h1>/);
      expect(html).toContain('send POST /v1/billing/checkout again');
    }
  });

  test('the page runs no script, sends no request, cannot be framed and is not cached', async () => {
    const { headers, ...answer } = await get().then(async (got) => ({
      headers: got.headers,
      html: await got.text(),
    }));
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ').map((rule) => rule.replace(/sha256-[^']+/, 'sha256-'))).toEqual([
      "default-src 'none'",
      "style-src 'sha256-'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'none'",
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.html).not.toMatch(/<(script|img|link|iframe|form|a)\b|https?:|url\(|@import|\son\w+=/i);
  });

  test('the page is the same whatever its address adds, and shows nothing of it', async () => {
    const plain = await (await get()).text();
    const added = '?session_id=cs_test_1&message=%3Cscript%3Ealert(1)%3C/script%3E&page=x';
    expect(await (await get(added)).text()).toBe(plain);
  });

  test('answers HEAD without a body, and other methods with 405', async () => {
    const head = await get('', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '',
    ]);
    const posted = await api(service.baseUrl)('POST', page, {});
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test('there is no page of another result', async () => {
  for (const result of ['failure', 'SUCCESS', '%2e%2e', '__proto__', 'success%00']) {
    const { status, body } = await api(service.baseUrl)('GET', `/v1/billing/checkout/${result}`);
    expect([result, status, body.error.code]).toEqual([result, 404, 'NOT_FOUND']);
  }
});
