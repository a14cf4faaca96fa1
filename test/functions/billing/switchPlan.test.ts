import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { overageStore } from '../../../shared/storage/billing/overageReports.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type PaymentProvider, startPaymentProvider } from '../../support/paymentProvider.ts';
import { setUsed } from '../../support/usage.ts';
import { checkout, newBuyer, newSubscriber } from './buyer.ts';

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
  stripe.hooks.delay = async () => {};
});

const month = () => new Date().toISOString().slice(0, 7);
const reportsOf = (customer: string) =>
  stripe.meteredRuns
    .filter((runs) => runs.customer === customer)
    .map(({ value, soldAt }) => ({ value, soldAt }));

describe('a checkout of another plan than that of the subscription', () => {
  test.each([
    ['pro', 'scale'],
    ['scale', 'pro'],
  ] as const)('changes it from %s to %s at once, and leads to where a purchase does', async (from, to) => {
    const { subscription, ...buyer } = await newSubscriber(service, stripe, from);
    const sessions = stripe.state.checkouts.length;
    const [monthly, metered] = stripe.state.subscriptions.find(({ id }) => id === subscription.id)!.items
      .data;
    expect(await checkout(buyer.client, to)).toMatchObject({
      status: 200,
      body: { checkout_url: `https://app.example/paid?session=${subscription.id}` },
    });
    expect(await buyer.plan()).toBe(to);
    expect(subscription.price).toBe(`price_${to}`);
    expect(stripe.state.subscriptions.filter(({ customer }) => customer === buyer.customer)).toHaveLength(1);
    expect(stripe.state.checkouts).toHaveLength(sessions);
    const path = `/v1/subscriptions/${subscription.id}`;
    const change = stripe.calls.findLast((call) => call.method === 'POST' && call.path === path);
    // Both prices at once, in place, invoiced at once.
    expect(change?.form).toEqual({
      'items[0][id]': monthly?.id,
      'items[0][price]': `price_${to}`,
      'items[1][id]': metered?.id,
      'items[1][price]': `price_${to}_overage`,
      proration_behavior: 'always_invoice',
    });
  });

  test.each(['trialing', 'past_due'] as const)('changes one that is %s', async (status) => {
    const buyer = await newBuyer(service, stripe);
    const subscription = buyer.subscribe('price_pro', { status });
    expect((await checkout(buyer.client, 'scale')).status).toBe(200);
    expect([subscription.price, await buyer.plan()]).toEqual(['price_scale', 'scale']);
  });

  test('changes one at a price of former sales to the one that is sold', async () => {
    const buyer = await newBuyer(service, stripe);
    const subscription = buyer.subscribe('price_pro_2025');
    expect((await checkout(buyer.client, 'pro')).status).toBe(400);
    expect((await checkout(buyer.client, 'scale')).status).toBe(200);
    expect(subscription.price).toBe('price_scale');
  });

  test('changes the newest of two', async () => {
    const { subscription: old, ...buyer } = await newSubscriber(service, stripe);
    const newest = buyer.subscribe('price_pro');
    expect((await checkout(buyer.client, 'scale')).status).toBe(200);
    expect([old.price, newest.price]).toEqual(['price_pro', 'price_scale']);
  });

  test('first reports the runs beyond the old plan, and charges them under the old plan', async () => {
    const { subscription: _, ...buyer } = await newSubscriber(service, stripe);
    await setUsed(service.table, buyer.orgId, month(), 15_010);
    expect((await checkout(buyer.client, 'scale')).status).toBe(200);
    expect(reportsOf(buyer.customer)).toEqual([{ value: 10, soldAt: 'price_pro' }]);
    expect(await overageStore(service.table).month(buyer.orgId, month())).toMatchObject({
      overage: 10,
      reported: 10,
    });
    await setUsed(service.table, buyer.orgId, month(), 100_005);
    expect((await checkout(buyer.client, 'pro')).status).toBe(200);
    expect(reportsOf(buyer.customer)).toEqual([
      { value: 10, soldAt: 'price_pro' },
      { value: 5, soldAt: 'price_scale' },
    ]);
  });

  test.each(['pro', 'scale'] as const)('requested twenty times at once moves to %s once', async (to) => {
    const from = to === 'pro' ? 'scale' : 'pro';
    const { subscription, ...buyer } = await newSubscriber(service, stripe, from);
    await setUsed(service.table, buyer.orgId, month(), 100_010);
    const due = from === 'pro' ? 85_010 : 10;
    stripe.hooks.delay = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
    const clicks = Array.from({ length: 20 }, async (_, number) =>
      number % 4 === 0 ? buyer.tell('customer.subscription.updated') : checkout(buyer.client, to),
    );
    const statuses = (await Promise.all(clicks)).map(({ status }) => status);
    // 400: a later request finds the plan switched already.
    expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(5);
    expect([subscription.price, await buyer.plan()]).toEqual([`price_${to}`, to]);
    expect(reportsOf(buyer.customer)).toEqual([{ value: due, soldAt: `price_${from}` }]);
    expect((await overageStore(service.table).month(buyer.orgId, month())).overage).toBe(due);
  });

  test.each(['down', 'drop'] as const)(
    'reports that the provider was %s, and the next try switches the plan, with overage reported and charged once',
    async (mood) => {
      const { subscription, ...buyer } = await newSubscriber(service, stripe);
      await setUsed(service.table, buyer.orgId, month(), 15_010);
      for (const path of ['/v1/billing/meter_events', `/v1/subscriptions/${subscription.id}`]) {
        stripe.hooks.delay = async () => {
          const { method, path: asked } = stripe.calls.at(-1) ?? {};
          if (method === 'POST' && asked === path) stripe.hooks.fault = mood;
        };
        expect(await checkout(buyer.client, 'scale')).toMatchObject({
          status: 502,
          body: { error: { code: 'PAYMENT_PROVIDER_UNAVAILABLE' } },
        });
        stripe.hooks.delay = async () => {};
        stripe.hooks.fault = undefined;
      }
      // A change whose answer was lost is one that was made.
      const { status } = await checkout(buyer.client, 'scale');
      expect(status).toBe(mood === 'drop' ? 400 : 200);
      expect([subscription.price, await buyer.plan()]).toEqual(['price_scale', 'scale']);
      expect(reportsOf(buyer.customer)).toEqual([{ value: 10, soldAt: 'price_pro' }]);
    },
  );
});

describe('is refused with a pointer to the portal', () => {
  test('the plan that the subscription gives already', async () => {
    for (const plan of ['pro', 'scale'] as const) {
      const { client } = await newSubscriber(service, stripe, plan);
      const { status, body } = await checkout(client, plan);
      expect(status).toBe(400);
      const message = expect.stringMatching(/ plan already: .+ POST \/v1\/billing\/portal$/);
      expect(body.error.details.issues).toEqual([{ path: 'plan', message }]);
    }
  });

  test.each(['unpaid', 'paused'] as const)('any plan while the subscription is %s', async (status) => {
    const buyer = await newBuyer(service, stripe);
    const subscription = buyer.subscribe('price_pro', { status });
    for (const plan of ['pro', 'scale']) {
      const answer = await checkout(buyer.client, plan);
      expect(answer.status).toBe(400);
      const message = expect.stringMatching(`is ${status}: pay or end it .+ POST /v1/billing/portal$`);
      expect(answer.body.error.details.issues).toEqual([{ path: 'plan', message }]);
    }
    expect(subscription.price).toBe('price_pro');
  });
});
