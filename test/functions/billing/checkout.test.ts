import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../../infra/local/payments/providerError.ts';
import { changePlan } from '../../../shared/storage/billing/planChanges.ts';
import { api } from '../../support/api.ts';
import { expectNotFound } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { PAGES_URL, type PaymentProvider, startPaymentProvider } from '../../support/paymentProvider.ts';
import { checkout, newBuyer, newOrganisation, newSubscriber, RETURN_URLS } from './buyer.ts';

let stripe: PaymentProvider;
let service: OwnService;
beforeAll(async () => {
  stripe = await startPaymentProvider();
  service = await startOwnService(stripe.env);
});
afterAll(async () => {
  await service.stop();
  await stripe.stop();
});
beforeEach(() => {
  stripe.hooks.fault = undefined;
});

const newest = (path: string) => {
  const call = stripe.calls.findLast((made) => made.method === 'POST' && made.path === path);
  if (call === undefined) throw new Error(`no call of ${path}`);
  return call;
};

const sessions = () => stripe.state.checkouts;
/** Whose portal an address opens. */
const portalCustomer = (url: string) =>
  stripe.state.portals.find(({ id }) => url.endsWith(`/${id}`))?.customer;

describe('a checkout', () => {
  test.each(['pro', 'scale'])(
    'of %s answers the address of a page that sells it to the organisation',
    async (plan) => {
      const { client, orgId } = await newOrganisation(service.baseUrl);
      const { status, body } = await checkout(client, plan);
      expect({ status, body }).toEqual({
        status: 200,
        body: { checkout_url: expect.stringMatching(`^${PAGES_URL}/payments/checkout/cs_test_`) },
      });
      const session = newest('/v1/checkout/sessions');
      expect(session.headers['stripe-version']).toBe('2026-10-28.endive');
      expect(session.form).toEqual({
        mode: 'subscription',
        customer: stripe.customersOf(orgId)[0],
        client_reference_id: orgId,
        'line_items[0][price]': `price_${plan}`,
        'line_items[0][quantity]': '1',
        'line_items[1][price]': `price_${plan}_overage`,
        'metadata[org_id]': orgId,
        'subscription_data[metadata][org_id]': orgId,
        'subscription_data[billing_mode][type]': 'flexible',
        ...RETURN_URLS,
      });
    },
  );

  test('is of one customer for an organisation, however many ask at once', async () => {
    const { client, orgId } = await newOrganisation(service.baseUrl);
    const answers = await Promise.all(Array.from({ length: 8 }, () => checkout(client, 'pro')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const made = new Set(stripe.customersOf(orgId));
    const served = sessions().filter(({ customer }) => made.has(customer ?? ''));
    expect(new Set(served.map(({ customer }) => customer)).size).toBe(1);
    const customers = stripe.state.customers.length;
    await checkout(client, 'scale');
    expect(stripe.state.customers).toHaveLength(customers);
    expect(newest('/v1/checkout/sessions').form.customer).toBe(served[0]?.customer);
  });

  test.each(['down', 'drop'] as const)(
    'opens at the next try when the provider was %s while the customer was made',
    async (mood) => {
      const { client } = await newOrganisation(service.baseUrl);
      stripe.hooks.fault = mood;
      expect((await checkout(client, 'pro')).status).toBe(502);
      stripe.hooks.fault = undefined;
      expect((await checkout(client, 'pro')).status).toBe(200);
    },
  );

  test('closes the pages opened before: one subscription is paid for, whichever page is', async () => {
    const { client } = await newOrganisation(service.baseUrl);
    const pages = [];
    for (const plan of ['pro', 'scale', 'pro']) pages.push((await checkout(client, plan)).body.checkout_url);
    expect(pages.map((url) => stripe.pay(url)?.price)).toEqual([undefined, undefined, 'price_pro']);
    expect((await checkout(client, 'pro')).status).toBe(400);
  });

  test('is one page that can be paid, of however many are opened at once', async () => {
    const { client } = await newBuyer(service, stripe);
    for (let round = 0; round < 5; round++) {
      stripe.hooks.delay = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      const opening = ['pro', 'scale', 'pro', 'scale'].map((plan) => checkout(client, plan));
      const pages = (await Promise.all(opening)).map(({ body }) => body.checkout_url);
      stripe.hooks.delay = async () => {};
      const open = sessions().filter(({ status }) => status === 'open');
      expect(open.filter(({ id }) => pages.some((url) => url.endsWith(id)))).toHaveLength(1);
    }
  });

  test('that was paid before it could be closed sells nothing more', async () => {
    const buyer = await newBuyer(service, stripe);
    const first = (await checkout(buyer.client, 'pro')).body.checkout_url;
    let paid: unknown;
    stripe.hooks.delay = async (when) => {
      const closing = stripe.calls.at(-1)?.path.endsWith('/expire');
      if (when === 'received' && closing) paid ??= stripe.pay(first);
    };
    const { status } = await checkout(buyer.client, 'pro');
    stripe.hooks.delay = async () => {};
    expect([paid, status]).toEqual([expect.objectContaining({ price: 'price_pro' }), 400]);
    expect(await buyer.plan()).toBe('pro');
  });

  test('finds a payment without an event, sells nothing twice and sets the plan', async () => {
    const buyer = await newBuyer(service, stripe);
    buyer.subscribe('price_pro');
    expect((await checkout(buyer.client, 'pro')).status).toBe(400);
    expect(await buyer.plan()).toBe('pro');
  });

  test('is open again after the subscription ended', async () => {
    const { subscription, client } = await newSubscriber(service, stripe);
    subscription.status = 'canceled';
    expect((await checkout(client, 'pro')).status).toBe(200);
  });

  test('is refused to an Enterprise organisation, and for a plan given by hand', async () => {
    for (const [given, wanted] of [
      ['enterprise', 'pro'],
      ['pro', 'pro'],
    ] as const) {
      const { client, orgId } = await newOrganisation(service.baseUrl);
      await changePlan(service.table, { orgId, plan: () => given, atMs: Date.now(), alongside: {} });
      expect((await checkout(client, wanted)).status).toBe(400);
    }
  });

  test.each(['free', 'enterprise', 'gold', '', 'PRO', '__proto__', null, 1])(
    'of the plan %p is 400',
    async (plan) => {
      const { client } = await newOrganisation(service.baseUrl);
      const { status, body } = await client('POST', '/v1/billing/checkout', { ...RETURN_URLS, plan });
      expect(status).toBe(400);
      expect(body.error.details.issues[0].path).toBe('plan');
    },
  );

  test.each([
    'app.example/paid',
    '/paid',
    '//app.example',
    'ftp://app.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'https:app.example',
    'https:///app.example',
    'https://',
    'https://user@app.example/',
    'https://user:secret@app.example/',
    'https://@app.example/',
    'https:\\\\app.example',
    'https://app.example\\@evil.example',
    'https://app.example/a b',
    ' https://app.example/',
    'https://app.example/\n',
    'https://app.example/\u0000',
    'https://[::1',
    `https://app.example/${'a'.repeat(2_048)}`,
    '',
    null,
    7,
    ['https://app.example/'],
  ])('that returns to %p is 400', async (url) => {
    const { client } = await newOrganisation(service.baseUrl);
    for (const field of ['success_url', 'cancel_url']) {
      const { status, body } = await checkout(client, 'pro', { [field]: url });
      expect(status).toBe(400);
      expect(body.error.details.issues[0].path).toBe(field);
    }
  });

  test.each([
    'http://localhost',
    'https://app.example:8443/a?b=c@d#e',
    'http://[::1]:3000/',
    'https://bücher.example/ü',
  ])('that returns to %s is taken as it is written', async (url) => {
    const { client } = await newOrganisation(service.baseUrl);
    expect((await checkout(client, 'pro', { success_url: url, cancel_url: url })).status).toBe(200);
    expect(newest('/v1/checkout/sessions').form).toMatchObject({ success_url: url, cancel_url: url });
  });

  test('that returns to what only the provider refuses is 400 as well', async () => {
    const { client } = await newOrganisation(service.baseUrl);
    stripe.hooks.delay = async (when, { method, path }) => {
      const isCheckout = method === 'POST' && path === '/v1/checkout/sessions';
      if (when === 'answered' || !isCheckout) return;
      throw new ProviderError(400, 'Not a valid URL', { code: 'url_invalid', param: 'success_url' });
    };
    const { status, body } = await checkout(client, 'pro');
    stripe.hooks.delay = async () => {};
    expect(status).toBe(400);
    expect(body.error.details.issues[0].path).toBe('success_url');
  });

  test('without its body or a plan is 400', async () => {
    const { client } = await newOrganisation(service.baseUrl);
    for (const sent of [undefined, {}, RETURN_URLS]) {
      const { status, body } = await client('POST', '/v1/billing/checkout', sent);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});

describe('a portal', () => {
  test('is where the organisation manages its own subscription; a body is ignored', async () => {
    const { client, customer } = await newSubscriber(service, stripe);
    for (const sent of [undefined, {}, { customer: 'cus_other' }, 'no JSON']) {
      const { status, body } = await client('POST', '/v1/billing/portal', sent);
      expect({ status, body }).toEqual({
        status: 200,
        body: { portal_url: expect.stringMatching(`^${PAGES_URL}/payments/portal/bps_`) },
      });
      expect(portalCustomer(body.portal_url)).toBe(customer);
    }
  });

  test('opens before a first purchase, of one customer, however many ask at once', async () => {
    const { client, orgId } = await newOrganisation(service.baseUrl);
    const ask = () => client('POST', '/v1/billing/portal');
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const customers = stripe.state.customers.length;
    const portals = new Set([...answers, await ask()].map(({ body }) => portalCustomer(body.portal_url)));
    expect(portals.size).toBe(1);
    expect(stripe.state.customers).toHaveLength(customers);
    expect((await checkout(client, 'pro')).status).toBe(200);
    const { customer } = newest('/v1/checkout/sessions').form;
    expect([...portals]).toEqual([customer]);
    expect(stripe.customersOf(orgId)).toContain(customer);
  });
});

test.each(['down', 'drop', 'unauthorised'] as const)(
  'while the provider is %s, checkout and portal say so, nothing is changed and no secret is logged',
  async (mood) => {
    const buyer = await newBuyer(service, stripe);
    stripe.hooks.fault = mood;
    const { client } = await newOrganisation(service.baseUrl);
    for (const answer of [
      await checkout(client, 'pro'),
      await checkout(buyer.client, 'pro'),
      await buyer.client('POST', '/v1/billing/portal'),
    ]) {
      expect({ status: answer.status, code: answer.body.error.code }).toEqual({
        status: 502,
        code: 'PAYMENT_PROVIDER_UNAVAILABLE',
      });
    }
    expect(await buyer.plan()).toBe('free');
    const lines = service.log.filter(({ code }) => code === 'payment_provider_failed');
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(service.log)).not.toContain(stripe.env.STRIPE_SECRET_KEY);
  },
);

test('a provider that never answers is given up before the caller is', async () => {
  const { client } = await newOrganisation(service.baseUrl);
  stripe.hooks.fault = 'stall';
  expect((await checkout(client, 'pro')).status).toBe(502);
});

test('a key that is bound to a project may neither buy nor manage', async () => {
  const { client } = await newSubscriber(service, stripe);
  await client('POST', '/v1/projects', { name: 'One', slug: 'one' });
  const { body } = await client('POST', '/v1/api-keys', { name: 'Bound', project: 'one' });
  const bound = api(service.baseUrl, body.data.key);
  expectNotFound(await checkout(bound, 'pro'));
  expectNotFound(await bound('POST', '/v1/billing/portal'));
});
