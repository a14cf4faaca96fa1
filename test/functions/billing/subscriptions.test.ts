import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { organisationKey } from '../../../shared/storage/table/keys.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type PaymentProvider, startPaymentProvider } from '../../support/paymentProvider.ts';
import { deliver, eventOf } from '../../support/webhookEvents.ts';
import { newBuyer, newSubscriber } from './buyer.ts';

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
describe('a subscription', () => {
  test('lives from checkout over an upgrade to its end, and every next request knows', async () => {
    const buyer = await newBuyer(service, stripe);
    expect(await buyer.plan()).toBe('free');
    const subscription = buyer.subscribe('price_pro');
    expect(await buyer.plan()).toBe('free');
    expect(await buyer.tell('checkout.session.completed')).toMatchObject({
      status: 200,
      body: { received: true },
    });
    const usage = (await buyer.client('GET', '/v1/billing/usage')).body;
    expect(usage).toMatchObject({ plan: 'pro', monthly_limit: 15_000, retention_days: 365 });
    subscription.price = 'price_scale';
    await buyer.tell('customer.subscription.updated');
    expect(await buyer.plan()).toBe('scale');
    subscription.status = 'canceled';
    await buyer.tell('customer.subscription.deleted');
    expect(await buyer.plan()).toBe('free');
  });

  test.each([
    ['active', 'pro'],
    ['trialing', 'pro'],
    ['past_due', 'pro'],
    ['unpaid', 'free'],
    ['canceled', 'free'],
    ['incomplete', 'free'],
    ['incomplete_expired', 'free'],
    ['paused', 'free'],
  ] as const)('that is %s makes the plan %s', async (status, plan) => {
    const { subscription, ...buyer } = await newSubscriber(service, stripe);
    subscription.status = status;
    await buyer.tell('customer.subscription.updated');
    expect(await buyer.plan()).toBe(plan);
  });

  test('at a price of former sales gives its plan', async () => {
    const buyer = await newBuyer(service, stripe);
    buyer.subscribe('price_pro_2025');
    await buyer.tell('customer.subscription.created');
    expect(await buyer.plan()).toBe('pro');
  });

  test('a subscription at an unknown price takes no plan away, and the provider sends the event again', async () => {
    const { subscription, ...buyer } = await newSubscriber(service, stripe);
    subscription.price = 'price_of_somebody_else';
    expect((await buyer.tell('customer.subscription.updated')).status).toBe(500);
    expect(await buyer.plan()).toBe('pro');
    expect(service.log.map(({ code }) => code)).toContain('payment_webhook_failed');
  });

  test('that ended does not take the plan of a newer one, whichever event comes last', async () => {
    const { subscription: old, ...buyer } = await newSubscriber(service, stripe, 'scale');
    old.status = 'canceled';
    buyer.subscribe('price_pro');
    for (const type of ['customer.subscription.created', 'customer.subscription.deleted', 'invoice.paid']) {
      await buyer.tell(type, { id: old.id, status: 'canceled' });
      expect(await buyer.plan()).toBe('pro');
    }
  });

  test('that is the newest of two counts, and the log names both', async () => {
    const { subscription: old, ...buyer } = await newSubscriber(service, stripe, 'scale');
    const newest = buyer.subscribe('price_pro');
    await buyer.tell('customer.subscription.created');
    expect(await buyer.plan()).toBe('pro');
    const overlap = service.log.findLast(({ code }) => code === 'subscriptions_overlap');
    expect(overlap).toMatchObject({
      org_id: buyer.orgId,
      subscriptions: [newest.id, old.id],
      subscriptions_overlap: 1,
      _aws: { CloudWatchMetrics: [{ Metrics: [{ Name: 'subscriptions_overlap' }] }] },
    });
    newest.status = 'canceled';
    await buyer.tell('customer.subscription.deleted');
    expect(await buyer.plan()).toBe('scale');
  });

  test('of a customer that was deleted at the provider is over, and a checkout makes a new customer', async () => {
    const buyer = await newSubscriber(service, stripe);
    stripe.deleteCustomer(buyer.customer);
    await deliver(service.baseUrl, eventOf('customer.deleted', { id: buyer.customer, object: 'customer' }));
    expect(await buyer.plan()).toBe('free');
    const urls = { success_url: 'https://a.example/', cancel_url: 'https://a.example/' };
    const answer = await buyer.client('POST', '/v1/billing/checkout', { plan: 'pro', ...urls });
    expect(answer.status).toBe(200);
    const [customer, ...others] = stripe.customersOf(buyer.orgId);
    expect({ customer, others }).toEqual({ customer: expect.stringMatching(/^cus_/), others: [] });
    expect(customer).not.toBe(buyer.customer);
  });

  test('does not change a plan that is agreed on as Enterprise', async () => {
    const buyer = await newSubscriber(service, stripe);
    const item = await service.table.get(organisationKey(buyer.orgId));
    await service.table.put({ ...item, plan: 'enterprise' });
    buyer.subscription.status = 'canceled';
    expect((await buyer.tell('customer.subscription.deleted')).status).toBe(200);
    expect(await service.table.get(organisationKey(buyer.orgId))).toMatchObject({ plan: 'enterprise' });
  });

  test('moves the plan of every key of the organisation', async () => {
    const buyer = await newBuyer(service, stripe);
    const made = await buyer.client('POST', '/v1/api-keys', { name: 'Second' });
    expect(made.status).toBe(201);
    buyer.subscribe('price_pro');
    await buyer.tell('checkout.session.completed');
    const second = await fetch(`${service.baseUrl}/v1/billing/usage`, {
      headers: { authorization: `Bearer ${made.body.data.key}` },
    });
    expect(await second.json()).toMatchObject({ plan: 'pro' });
    const third = await buyer.client('POST', '/v1/api-keys', { name: 'Third' });
    const usage = await fetch(`${service.baseUrl}/v1/billing/usage`, {
      headers: { authorization: `Bearer ${third.body.data.key}` },
    });
    expect(await usage.json()).toMatchObject({ plan: 'pro' });
  });
});
