import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Stripe from 'stripe';
import type {
  CheckoutSession,
  Customer,
  Event,
  Invoice,
  MeterEvent,
  PortalSession,
  Price,
  Subscription,
  SubscriptionItem,
} from '../../../../infra/local/payments/resources/objects.ts';
import { beginCheckout, removeFolderOf, type StandIn, startStandIn } from '../../../support/payments.ts';

/** The fields of ours that the SDK does not know, or knows as something else. */
type Misfits<Ours, Theirs> = {
  [Field in keyof Ours]-?: Field extends keyof Theirs
    ? Ours[Field] extends Theirs[Field]
      ? never
      : Field
    : Field;
}[keyof Ours];

/** Held by the compiler: every object that travels is one that the official SDK's types describe. */
type AllMisfits =
  | Misfits<Customer, Stripe.Customer>
  | Misfits<CheckoutSession, Stripe.Checkout.Session>
  | Misfits<Omit<Subscription, 'items'>, Stripe.Subscription>
  | Misfits<Omit<SubscriptionItem, 'price'>, Stripe.SubscriptionItem>
  // A decimal travels as a string; the SDK makes an object of it.
  | Misfits<Omit<Price, 'unit_amount_decimal'>, Stripe.Price>
  | Misfits<PortalSession, Stripe.BillingPortal.Session>
  | Misfits<Invoice, Stripe.Invoice>
  | Misfits<MeterEvent, Stripe.Billing.MeterEvent>
  | Misfits<Omit<Event, 'data'>, Stripe.Event>;
const misfits: readonly never[] = [] as readonly AllMisfits[];

let provider: StandIn;
let stripe: Stripe;
beforeAll(async () => {
  provider = await startStandIn();
  stripe = provider.stripe;
});
beforeEach(() => {
  provider.clock.offsetMs = 0;
});
afterAll(async () => {
  await provider.stop();
  removeFolderOf(provider.file);
});

const pay = (session: Stripe.Checkout.Session) =>
  fetch(session.url ?? '', { method: 'POST', redirect: 'manual' });

async function subscribe(): Promise<Stripe.Subscription> {
  const session = await beginCheckout(stripe);
  expect((await pay(session)).status).toBe(303);
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
  return stripe.subscriptions.retrieve(String(subscription));
}

describe('the official SDK finds in the simulated provider', () => {
  test('objects of the shapes that it describes', () => expect(misfits).toEqual([]));

  test('customers', async () => {
    const metadata = { org_id: '1', 'a b&c=d': 'ü=&[x]' };
    const made = await stripe.customers.create({ name: 'Årets & Co', email: 'a@example.com', metadata });
    expect(made).toMatchObject({ object: 'customer', name: 'Årets & Co', metadata, livemode: false });
    expect(made.id).toMatch(/^cus_\w+$/);
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ id: made.id, metadata });
    expect(made.lastResponse.requestId).toMatch(/^req_/);
  });

  test('checkout sessions, open until they are paid', async () => {
    const session = await beginCheckout(stripe);
    expect(session).toMatchObject({
      object: 'checkout.session',
      mode: 'subscription',
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: 'org-1',
      metadata: { org_id: 'org-1' },
      amount_total: 4_900,
      subscription: null,
      url: `${provider.baseUrl}/payments/checkout/${session.id}`,
    });
    await pay(session);
    const paid = await stripe.checkout.sessions.retrieve(session.id);
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    const listed = async (status?: Stripe.Checkout.SessionListParams.Status) => {
      const filter = { customer: String(session.customer), ...(status === undefined ? {} : { status }) };
      return (await stripe.checkout.sessions.list(filter)).data.map(({ id }) => id);
    };
    expect(await listed()).toEqual([session.id]);
    expect([await listed('complete'), await listed('open')]).toEqual([[session.id], []]);
  });

  test('checkout sessions that expire by time or on request', async () => {
    const [late, ended] = [await beginCheckout(stripe), await beginCheckout(stripe)];
    expect(await stripe.checkout.sessions.expire(ended.id)).toMatchObject({ status: 'expired' });
    const paid = await beginCheckout(stripe);
    await pay(paid);
    provider.clock.offsetMs = 25 * 3_600_000;
    expect(await stripe.checkout.sessions.retrieve(late.id)).toMatchObject({ status: 'expired', url: null });
    for (const { id } of [late, ended, paid]) {
      const again = stripe.checkout.sessions.expire(id);
      await expect(again).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
    }
  });

  test('subscriptions of a price and its metered companion', async () => {
    const subscription = await subscribe();
    expect(subscription).toMatchObject({
      status: 'active',
      metadata: { org_id: 'org-1' },
      billing_mode: { type: 'flexible' },
    });
    const items = subscription.items.data;
    expect(items.map(({ price }) => price.id)).toEqual(['price_pro', 'price_pro_overage']);
    expect(items.map(({ quantity }) => quantity)).toEqual([1, undefined]);
    expect(items[1]?.price.unit_amount_decimal?.toString()).toBe('0.3');
    expect(items[0]?.current_period_end).toBeGreaterThan(items[0]?.current_period_start ?? Infinity);
  });

  test('subscriptions that renew themselves month by month', async () => {
    const { id, items } = await subscribe();
    provider.clock.offsetMs = 40 * 86_400_000;
    const { items: later } = await stripe.subscriptions.retrieve(id);
    expect(later.data[0]?.current_period_start).toBe(items.data[0]?.current_period_end);
  });

  test('a list of subscriptions by customer and status', async () => {
    const { id, customer } = await subscribe();
    const of = async (status?: Stripe.SubscriptionListParams.Status) => {
      const filter = { customer: String(customer), ...(status === undefined ? {} : { status }) };
      return (await stripe.subscriptions.list(filter)).data.map((found) => found.id);
    };
    expect([await of(), await of('active'), await of('all'), await of('canceled')]).toEqual([
      [id],
      [id],
      [id],
      [],
    ]);
    await stripe.subscriptions.cancel(id);
    expect([await of(), await of('active'), await of('all'), await of('canceled')]).toEqual([
      [],
      [],
      [id],
      [id],
    ]);
  });

  test('a change of price by item', async () => {
    const { id, items } = await subscribe();
    const [plan, overage] = items.data;
    const changed = await stripe.subscriptions.update(id, {
      items: [
        { id: plan?.id ?? '', price: 'price_scale' },
        { id: overage?.id ?? '', deleted: true },
        { price: 'price_scale_overage' },
      ],
      metadata: { note: 'bigger' },
      proration_behavior: 'always_invoice',
    });
    expect(changed.items.data.map(({ price }) => price.id)).toEqual(['price_scale', 'price_scale_overage']);
    expect(changed.items.data[0]?.id).toBe(plan?.id);
    expect(changed.metadata).toEqual({ org_id: 'org-1', note: 'bigger' });
  });

  test('cancellation, after which nothing changes any more', async () => {
    const { id } = await subscribe();
    const canceled = await stripe.subscriptions.cancel(id);
    expect(canceled).toMatchObject({ status: 'canceled', ended_at: canceled.canceled_at });
    await expect(stripe.subscriptions.cancel(id)).rejects.toThrow(Stripe.errors.StripeInvalidRequestError);
  });

  test('portal sessions', async () => {
    const { id: customer } = await stripe.customers.create();
    const portal = await stripe.billingPortal.sessions.create({ customer });
    expect(portal.url).toBe(`${provider.baseUrl}/payments/portal/${portal.id}`);
    const flow_data = {
      type: 'subscription_update',
      subscription_update: { subscription: 'sub_1' },
    } as const;
    await expect(stripe.billingPortal.sessions.create({ customer, flow_data })).rejects.toMatchObject({
      statusCode: 400,
      param: 'flow_data[type]',
    });
  });

  test('that a deleted customer is gone with its subscriptions', async () => {
    const { id, customer } = await subscribe();
    expect(await stripe.customers.del(String(customer))).toMatchObject({ deleted: true });
    await expect(stripe.subscriptions.list({ customer: String(customer) })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'customer',
    });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
  });
});

describe('a meter event', () => {
  const event = (identifier: string, value = '7'): Stripe.Billing.MeterEventCreateParams => ({
    event_name: 'evalgate_runs_beyond_plan',
    identifier,
    payload: { stripe_customer_id: 'cus_1', value },
  });

  test('is kept once for its identifier, for at least a day', async () => {
    expect(await stripe.billing.meterEvents.create(event('org:2026-11:0-7'))).toMatchObject({
      object: 'billing.meter_event',
      identifier: 'org:2026-11:0-7',
      payload: { value: '7' },
    });
    for (const hours of [0, 23, 25]) {
      provider.clock.offsetMs = hours * 3_600_000;
      const again = stripe.billing.meterEvents.create(event('org:2026-11:0-7', '9'));
      await expect(again).rejects.toMatchObject({
        statusCode: 400,
        type: 'StripeInvalidRequestError',
        code: undefined,
        message: 'An event already exists with identifier org:2026-11:0-7.',
      });
    }
    const { body } = await provider.call('GET', '/simulation/meter_events?customer=cus_1');
    expect(body.data.map(({ payload }: MeterEvent) => payload.value)).toEqual(['7']);
  });

  const now = Math.floor(Date.now() / 1_000);
  test.each([
    ['of another name', { event_name: 'runs' }],
    ['without customer', { payload: { value: '1' } }],
    ['of a negative value', { payload: { stripe_customer_id: 'cus_1', value: '-1' } }],
    ['of a fraction', { payload: { stripe_customer_id: 'cus_1', value: '0.5' } }],
    ['of more than 35 days ago', { timestamp: now - 36 * 86_400 }],
    ['of the future', { timestamp: now + 600 }],
  ])('%s is refused', async (_what, wrong) => {
    const refused = stripe.billing.meterEvents.create({ ...event(`wrong-${_what}`), ...wrong });
    await expect(refused).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
  });
});

describe('an idempotency key', () => {
  test('answers the first answer again, and does nothing more', async () => {
    const request = () => stripe.customers.create({ description: 'once' }, { idempotencyKey: 'customer:1' });
    const [first, second] = [await request(), await request()];
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    const parallel = await Promise.all(
      Array.from({ length: 10 }, () => stripe.customers.create({}, { idempotencyKey: 'customer:parallel' })),
    );
    expect(new Set(parallel.map(({ id }) => id)).size).toBe(1);
  });

  test('answers an error again, too, but not one of wrong parameters', async () => {
    const update = (id: string) => stripe.subscriptions.update(id, {}, { idempotencyKey: 'update:1' });
    await expect(update('sub_none')).rejects.toMatchObject({ statusCode: 404 });
    await expect(update('sub_none')).rejects.toMatchObject({
      headers: { 'idempotent-replayed': 'true' },
    });
    const options = { idempotencyKey: 'portal:1' };
    const wrong = stripe.billingPortal.sessions.create({ customer: '' }, options);
    await expect(wrong).rejects.toMatchObject({ statusCode: 400 });
    const { id: customer } = await stripe.customers.create();
    expect((await stripe.billingPortal.sessions.create({ customer }, options)).customer).toBe(customer);
  });

  test('answers a 500 again for a day, although the provider works again; another key is carried out', async () => {
    await provider.call('POST', '/simulation/failures', { form: { count: '1' } });
    const create = (idempotencyKey: string) => stripe.customers.create({}, { idempotencyKey });
    for (const hours of [0, 0, 23]) {
      provider.clock.offsetMs = hours * 3_600_000;
      await expect(create('customer:500')).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    }
    expect((await create('customer:501')).id).toMatch(/^cus_/);
    provider.clock.offsetMs = 25 * 3_600_000;
    expect((await create('customer:500')).id).toMatch(/^cus_/);
  });

  test('is refused with other parameters', async () => {
    const create = (name: string) => stripe.customers.create({ name }, { idempotencyKey: 'customer:2' });
    await create('A');
    await expect(create('B')).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
  });

  test('is forgotten after a day', async () => {
    const create = () => stripe.customers.create({}, { idempotencyKey: 'customer:3' });
    const first = await create();
    provider.clock.offsetMs = 25 * 3_600_000;
    expect((await create()).id).not.toBe(first.id);
  });
});

describe('a request is refused in Stripe’s shape', () => {
  const refusal = (request: Promise<unknown>) =>
    request.then(
      () => undefined,
      (error: unknown) => error,
    );

  test.each([
    ['of another key', { authorization: 'Bearer sk_test_other' }],
    ['with an empty key', { authorization: 'Bearer ' }],
    ['with Basic and another key', { authorization: `Basic ${btoa('sk_test_other:')}` }],
    ['of another scheme', { authorization: 'Digest x' }],
  ])('%s: 401', async (_what, headers) => {
    for (const [method, path] of [
      ['GET', '/v1/subscriptions'],
      ['POST', '/v1/customers'],
      ['GET', '/simulation/events'],
      ['POST', '/simulation/deliveries'],
      ['GET', '/anything'],
    ] as const) {
      const { status, body } = await provider.call(method, path, { headers });
      expect([status, body.error.type]).toEqual([401, 'invalid_request_error']);
      expect(JSON.stringify(body)).not.toContain(provider.secretKey);
    }
  });

  test('without a key: 401; with the key as Basic user: fine', async () => {
    expect((await fetch(`${provider.apiBase}/v1/subscriptions`)).status).toBe(401);
    const authorization = `Basic ${btoa(`${provider.secretKey}:`)}`;
    expect((await provider.call('GET', '/v1/subscriptions', { headers: { authorization } })).status).toBe(
      200,
    );
  });

  test('by the SDK as an authentication error', async () => {
    const other = new Stripe('sk_test_other', {
      host: '127.0.0.1',
      port: new URL(provider.apiBase).port,
      protocol: 'http',
    });
    await expect(other.customers.create()).rejects.toThrow(Stripe.errors.StripeAuthenticationError);
  });

  test.each([
    ['an unknown customer', () => stripe.customers.retrieve('cus_none'), 404, 'resource_missing', 'id'],
    ['a special name', () => stripe.subscriptions.retrieve('__proto__'), 404, 'resource_missing', 'id'],
    [
      'an unknown customer of a session',
      () => beginCheckout(stripe, { customer: 'cus_none' }),
      400,
      'resource_missing',
      'customer',
    ],
    [
      'an unknown price',
      () => beginCheckout(stripe, { line_items: [{ price: 'price_none', quantity: 1 }] }),
      400,
      'resource_missing',
      'line_items[0][price]',
    ],
    [
      'a quantity of a metered price',
      () => beginCheckout(stripe, { line_items: [{ price: 'price_pro_overage', quantity: 1 }] }),
      400,
      undefined,
      'line_items[0][quantity]',
    ],
    [
      'a price without quantity',
      () => beginCheckout(stripe, { line_items: [{ price: 'price_pro' }] }),
      400,
      undefined,
      'line_items[0][quantity]',
    ],
    [
      'a success_url that runs a script',
      () => beginCheckout(stripe, { success_url: 'javascript:alert(1)' }),
      400,
      'parameter_invalid',
      'success_url',
    ],
    [
      'a missing parameter',
      () => stripe.billingPortal.sessions.create({} as Stripe.BillingPortal.SessionCreateParams),
      400,
      'parameter_missing',
      'customer',
    ],
  ])('%s', async (_what, request, statusCode, code, param) => {
    const error = await refusal(request());
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject({ statusCode, code, param });
  });

  test('an invalid address answers 404', async () => {
    expect(await provider.call('GET', '/v1/nothing')).toMatchObject({
      status: 404,
      body: { error: { message: 'Unrecognized request URL (GET: /v1/nothing).' } },
    });
  });
});

test('no parameters make the provider fail, and a refused request changes nothing', async () => {
  const paths = [
    '/v1/customers',
    '/v1/checkout/sessions',
    '/v1/billing_portal/sessions',
    '/v1/subscriptions/sub_none',
    '/v1/billing/meter_events',
    '/simulation/subscriptions/sub_none',
    '/simulation/deliveries',
    '/simulation/failures',
  ];
  const names = [
    'mode',
    'customer',
    'items[0][price]',
    'line_items[0]',
    'metadata',
    'metadata[__proto__]',
    'payload[value]',
  ];
  const form = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), fc.string(), { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), form, async (path, parameters) => {
      const before = readFileSync(provider.file, 'utf8');
      const { status, body } = await provider.call('POST', path, { form: parameters });
      expect([200, 400, 404]).toContain(status);
      expect(status === 200 || typeof body.error.message === 'string').toBe(true);
      if (status !== 200) expect(readFileSync(provider.file, 'utf8')).toBe(before);
    }),
  );
  await provider.call('POST', '/simulation/deliveries', { form: { held: 'false' } });
});

test('nothing of the provider is kept but in one file, for its owner alone', async () => {
  const { id } = await stripe.customers.create({ name: 'Kept' });
  expect(readFileSync(provider.file, 'utf8')).toContain(id);
  expect(statSync(provider.file).mode & 0o777).toBe(0o600);
  expect(provider.secretKey).toMatch(/^sk_test_[0-9a-f]{48}$/);
  expect(provider.webhookSecret).toMatch(/^whsec_[0-9a-f]{48}$/);
});
