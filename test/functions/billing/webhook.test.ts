import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { billingKey, organisationKey } from '../../../shared/storage/table/keys.ts';
import { type EngineService, startEngineService } from '../../support/ownService.ts';
import { type PaymentProvider, startPaymentProvider } from '../../support/paymentProvider.ts';
import { deliver, eventOf } from '../../support/webhookEvents.ts';
import { newBuyer, newOrganisation, newSubscriber } from './buyer.ts';

let stripe: PaymentProvider;
let service: EngineService;
beforeAll(async () => {
  stripe = await startPaymentProvider();
  service = await startEngineService(stripe.env);
});
afterAll(async () => {
  await service.stop();
  await stripe.stop();
});
beforeEach(() => {
  stripe.hooks.fault = undefined;
});

describe('events', () => {
  test('delivered five times, in the wrong order, with old contents change nothing more', async () => {
    const { subscription, ...buyer } = await newSubscriber(service, stripe);
    const types = [
      'customer.subscription.deleted',
      'invoice.paid',
      'customer.subscription.created',
      'checkout.session.completed',
      'customer.subscription.updated',
    ];
    const before = await service.table.get(organisationKey(buyer.orgId));
    for (let time = 0; time < 5; time++) {
      for (const type of types) {
        const event = { id: subscription.id, status: 'canceled', metadata: { org_id: 'somebody' } };
        expect((await buyer.tell(type, event)).status).toBe(200);
      }
    }
    expect(await service.table.get(organisationKey(buyer.orgId))).toEqual(before);
  });

  test('delivered twenty at once end in the last state of the provider, with the account whole', async () => {
    const { subscription, ...buyer } = await newSubscriber(service, stripe);
    const moment = () => new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 30));
    stripe.hooks.delay = moment;
    try {
      for (const [price, status, plan] of [
        ['price_scale', 'active', 'scale'],
        ['price_scale', 'canceled', 'free'],
        ['price_pro', 'active', 'pro'],
      ] as const) {
        const delivering = Array.from({ length: 20 }, async (_, number) => {
          await moment();
          // Some of them ask for what is about to be old.
          if (number === 14) Object.assign(subscription, { price, status });
          return buyer.tell('customer.subscription.updated');
        });
        const statuses = (await Promise.all(delivering)).map(({ status }) => status);
        expect(statuses).toEqual(statuses.map(() => 200));
        expect(await buyer.plan()).toBe(plan);
        expect(await service.table.get(organisationKey(buyer.orgId))).toMatchObject({ plan });
        expect(await service.table.get(billingKey(buyer.orgId))).toMatchObject({ subscription: { status } });
      }
    } finally {
      stripe.hooks.delay = async () => {};
    }
  });

  test.each([
    ['another plan', { price: 'price_scale' }, { status: 'canceled' }, 'free'],
    ['the plan that was left', { status: 'canceled' }, { status: 'active' }, 'pro'],
    ['the plan that was changed from', { price: 'price_scale' }, { price: 'price_pro' }, 'pro'],
  ])(
    'whose question is answered late change nothing after a newer answer: %s',
    async (_, old, current, plan) => {
      const { subscription, ...buyer } = await newSubscriber(service, stripe);
      const [known, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      stripe.hooks.delay = async (when) => {
        if (when === 'received') return;
        stripe.hooks.delay = async () => {};
        known.resolve();
        await released.promise;
      };
      Object.assign(subscription, old);
      const late = buyer.tell('customer.subscription.updated');
      await known.promise;
      Object.assign(subscription, current);
      expect((await buyer.tell('customer.subscription.updated')).status).toBe(200);
      expect(await buyer.plan()).toBe(plan);
      released.resolve();
      expect((await late).status).toBe(200);
      expect(await buyer.plan()).toBe(plan);
    },
  );

  test('of kinds that the service does not use are accepted and ignored, without a call of the provider or the table', async () => {
    const buyer = await newSubscriber(service, stripe);
    const calls = stripe.calls.length;
    const before = service.table.consumed();
    for (const type of ['product.created', 'charge.succeeded', 'customer.updated', 'x']) {
      expect((await buyer.tell(type)).status).toBe(200);
    }
    expect(stripe.calls.length).toBe(calls);
    expect(service.table.consumed()).toEqual(before);
  });

  test('of an unknown customer, or without a customer, are accepted and ignored', async () => {
    const { subscription } = await newSubscriber(service, stripe);
    const calls = stripe.calls.length;
    for (const object of [
      { customer: 'cus_unknown', subscription: subscription.id },
      { customer: null },
      {},
    ]) {
      expect((await deliver(service.baseUrl, eventOf('invoice.paid', object))).status).toBe(200);
    }
    expect(stripe.calls.length).toBe(calls);
    expect(service.log.map(({ code }) => code)).toContain('payment_webhook_ignored');
  });

  test('about an expanded customer are about that customer', async () => {
    const buyer = await newBuyer(service, stripe);
    buyer.subscribe('price_scale');
    await buyer.tell('invoice.paid', { customer: { id: buyer.customer, object: 'customer' } });
    expect(await buyer.plan()).toBe('scale');
  });

  test('of live mode mean nothing where the key is one of test mode', async () => {
    const buyer = await newBuyer(service, stripe);
    buyer.subscribe('price_pro');
    const event = eventOf('invoice.paid', { customer: buyer.customer }, { livemode: true });
    expect((await deliver(service.baseUrl, event)).status).toBe(200);
    expect(await buyer.plan()).toBe('free');
  });

  test.each(['down', 'drop', 'unauthorised'] as const)(
    'that come while the provider is %s are answered with an error and change nothing',
    async (mood) => {
      const buyer = await newBuyer(service, stripe);
      buyer.subscribe('price_pro');
      stripe.hooks.fault = mood;
      expect(await buyer.tell('checkout.session.completed')).toMatchObject({
        status: 502,
        body: { error: { code: 'PAYMENT_PROVIDER_UNAVAILABLE' } },
      });
      expect(await buyer.plan()).toBe('free');
      stripe.hooks.fault = undefined;
      expect((await buyer.tell('checkout.session.completed')).status).toBe(200);
      expect(await buyer.plan()).toBe('pro');
    },
  );
});

test('a webhook costs no organisation but its own anything', async () => {
  const [buyer, other] = [await newBuyer(service, stripe), await newOrganisation(service.baseUrl)];
  buyer.subscribe('price_pro');
  await buyer.tell('checkout.session.completed', {
    client_reference_id: other.orgId,
    metadata: { org_id: other.orgId },
  });
  expect((await other.client('GET', '/v1/billing/usage')).body.plan).toBe('free');
  expect(await buyer.plan()).toBe('pro');
});
