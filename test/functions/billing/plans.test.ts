import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { overageOf } from '../../../shared/domain/billing/overage.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { overageStore } from '../../../shared/storage/billing/overageReports.ts';
import { readUsage } from '../../../shared/storage/runs/usage.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type PaymentProvider, startPaymentProvider } from '../../support/paymentProvider.ts';
import { setUsed } from '../../support/usage.ts';
import { deliver, eventOf, signatureOf } from '../../support/webhookEvents.ts';
import { makeGate } from '../runs/gate.ts';
import { newBuyer, newSubscriber } from './buyer.ts';

const NOW_MS = Date.parse('2026-03-20T12:00:00.000Z');

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

/** An event signed at the time of the service's clock. */
async function toldNow(customer: string): Promise<void> {
  const event = eventOf('customer.subscription.updated', { customer });
  const signature = signatureOf(event, { at: service.clock.ms ?? Date.now() });
  const { status } = await deliver(service.baseUrl, event, { 'stripe-signature': signature });
  expect(status).toBe(200);
}

async function gateOf(buyer: { client: Parameters<typeof makeGate>[2] }) {
  const gate = await makeGate(service.baseUrl, {}, buyer.client);
  await gate.add({});
  const send = () => gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'ok' });
  return { ...gate, send };
}

test('quota follows the plan on the next request: blocked, bought, charged beyond, ended, blocked', async () => {
  const buyer = await newBuyer(service, stripe);
  const gate = await gateOf(buyer);
  const month = new Date().toISOString().slice(0, 7);
  await setUsed(service.table, buyer.orgId, month, 500);
  expect((await gate.send()).status).toBe(402);
  const subscription = buyer.subscribe('price_pro');
  await buyer.tell('checkout.session.completed');
  expect((await gate.send()).status).toBe(200);
  await setUsed(service.table, buyer.orgId, month, 15_000);
  expect((await gate.send()).status).toBe(200);
  const usage = (await buyer.client('GET', '/v1/billing/usage')).body;
  expect(usage).toMatchObject({ plan: 'pro', current_usage: 15_001, usage_percentage: 100.01 });
  subscription.status = 'canceled';
  await buyer.tell('customer.subscription.deleted');
  expect((await gate.send()).status).toBe(402);
  expect((await overageStore(service.table).month(buyer.orgId, month)).overage).toBe(1);
});

test('retention follows the plan: what was there stays a year, what was gone stays gone, an end hides at once', async () => {
  service.clock.ms = NOW_MS;
  const buyer = await newBuyer(service, stripe);
  const gate = await gateOf(buyer);
  const gone = (await gate.send()).body.id;
  service.clock.ms = NOW_MS + 10 * DAY_MS;
  const kept = (await gate.send()).body.id;
  service.clock.ms = NOW_MS + 15 * DAY_MS;
  const statuses = async () => [
    (await gate.client('GET', `/v1/runs/${gone}`)).status,
    (await gate.client('GET', `/v1/runs/${kept}`)).status,
  ];
  expect(await statuses()).toEqual([404, 200]);
  const subscription = buyer.subscribe('price_pro');
  await toldNow(buyer.customer);
  expect(await buyer.plan()).toBe('pro');
  expect(await statuses()).toEqual([404, 200]);
  // The queue of this service is a closed port: the message that has runs kept longer was to be sent at once.
  expect(
    service.log.filter(({ code, org_id }) => [code, org_id].join() === `message_unsent,${buyer.orgId}`),
  ).toHaveLength(1);
  subscription.status = 'canceled';
  service.clock.ms = NOW_MS + 25 * DAY_MS;
  await toldNow(buyer.customer);
  expect(await statuses()).toEqual([404, 404]);
  service.clock.ms = undefined;
});

test('runs made while the plan changes are all counted, and charged under the plan of their moment', async () => {
  const { subscription, ...buyer } = await newSubscriber(service, stripe);
  const gate = await gateOf(buyer);
  const month = new Date().toISOString().slice(0, 7);
  await setUsed(service.table, buyer.orgId, month, 14_990);
  const sending = Array.from({ length: 40 }, () => gate.send());
  const change = async (price: string) => {
    subscription.price = price;
    await buyer.tell('customer.subscription.updated');
  };
  await change('price_scale');
  await change('price_pro');
  const statuses = (await Promise.all(sending)).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
  const usage = await readUsage(service.table, buyer.orgId, month);
  expect(usage.map(({ plan }) => plan).at(0)).toBe('pro');
  expect((await overageStore(service.table).month(buyer.orgId, month)).overage).toBe(overageOf(usage));
  expect((await buyer.client('GET', '/v1/billing/usage')).body.current_usage).toBe(15_030);
});
