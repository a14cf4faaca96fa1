import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { StartupError } from '../../../../infra/local/startupError.ts';
import {
  beginCheckout,
  type Delivery,
  removeFolderOf,
  type StandIn,
  startStandIn,
} from '../../../support/payments.ts';
import { eventually } from '../../../support/service.ts';

const PAID = ['checkout.session.completed', 'customer.subscription.created', 'invoice.paid'];

let provider: StandIn;
beforeEach(async () => {
  provider = await startStandIn();
});
afterEach(async () => {
  await provider.stop();
  removeFolderOf(provider.file);
});

const typesOf = (deliveries: readonly Delivery[]) => deliveries.map(({ event }) => event.type).sort();

async function payFor(session: Stripe.Checkout.Session): Promise<void> {
  const answer = await fetch(session.url ?? '', { method: 'POST', redirect: 'manual' });
  expect(answer.status).toBe(303);
}

interface Told {
  readonly event: Stripe.Event;
  readonly state: string;
  readonly attempts: number;
}

async function events(): Promise<Told[]> {
  return (await provider.call('GET', '/simulation/events')).body.data;
}

const hold = (held: boolean) =>
  provider.call('POST', '/simulation/deliveries', { form: { held: String(held) } });

test('paying sends three events that the official SDK finds signed, before the customer is sent on', async () => {
  const session = await beginCheckout(provider.stripe);
  await payFor(session);
  expect(typesOf(provider.deliveries)).toEqual(PAID);
  for (const { body, signature } of provider.deliveries) {
    const event = Stripe.webhooks.constructEvent(body, signature, provider.webhookSecret);
    expect(event).toMatchObject({ object: 'event', livemode: false, api_version: Stripe.API_VERSION });
    expect(event.data.object).toMatchObject({ customer: session.customer });
    expect(() => Stripe.webhooks.constructEvent(`${body} `, signature, provider.webhookSecret)).toThrow();
    expect(() => Stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
  }
  const completed = provider.deliveries.find(({ event }) => event.type === 'checkout.session.completed');
  expect(completed?.event.data.object).toMatchObject({
    id: session.id,
    status: 'complete',
    client_reference_id: 'org-1',
    metadata: { org_id: 'org-1' },
  });
  expect((await events()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
});

test('changes of a subscription send their events, each with the object as it was then', async () => {
  const session = await beginCheckout(provider.stripe);
  await payFor(session);
  const { subscription } = await provider.stripe.checkout.sessions.retrieve(session.id);
  const id = String(subscription);
  provider.deliveries.length = 0;
  await hold(true);
  await provider.call('POST', `/simulation/subscriptions/${id}`, { form: { status: 'past_due' } });
  await provider.call('POST', `/simulation/subscriptions/${id}`, { form: { status: 'active' } });
  await provider.stripe.subscriptions.cancel(id);
  await hold(false);
  await eventually(() => provider.deliveries.length === 5);
  expect(typesOf(provider.deliveries)).toEqual([
    'customer.subscription.deleted',
    'customer.subscription.updated',
    'customer.subscription.updated',
    'invoice.paid',
    'invoice.payment_failed',
  ]);
  const statuses = provider.deliveries.flatMap(({ event }) =>
    event.type.startsWith('customer.subscription.')
      ? [(event.data.object as Stripe.Subscription).status]
      : [],
  );
  expect(statuses.sort()).toEqual(['active', 'canceled', 'past_due']);
});

test('an event that the webhook does not take is sent again until it does, and the customer is sent on', async () => {
  provider.webhook.status = 500;
  await payFor(await beginCheckout(provider.stripe));
  expect((await events()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['pending', 1],
    ['pending', 1],
    ['pending', 1],
  ]);
  provider.webhook.status = 200;
  await eventually(async () => (await events()).every(({ state }) => state === 'delivered'));
  expect(new Set(provider.deliveries.map(({ body }) => body)).size).toBe(3);
  expect(provider.deliveries).toHaveLength(6);
});

test('an event that was not taken outlives the provider, and is sent when it is back', async () => {
  provider.webhook.status = 503;
  const session = await beginCheckout(provider.stripe);
  await payFor(session);
  const { file, secretKey, deliveries: refused } = provider;
  await provider.stop();
  provider = await startStandIn(file);
  await eventually(() => provider.deliveries.length === 3);
  expect(provider.deliveries.map(({ body }) => body).sort()).toEqual(refused.map(({ body }) => body).sort());
  expect(provider.secretKey).toBe(secretKey);
  expect(await provider.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete' });
  await eventually(async () => (await events()).every(({ state }) => state === 'delivered'));
});

test('deliveries can be held, made in any order and repeated, and are let go again', async () => {
  await hold(true);
  await payFor(await beginCheckout(provider.stripe));
  expect(provider.deliveries).toEqual([]);
  const told = await events();
  for (const { event } of told.toReversed()) {
    for (let time = 0; time < 2; time++) {
      const { body } = await provider.call('POST', `/simulation/events/${event.id}/deliver`);
      expect(body).toEqual({ status: 200 });
    }
  }
  expect(provider.deliveries.map(({ event }) => event.id)).toEqual(
    told.toReversed().flatMap(({ event }) => [event.id, event.id]),
  );
  await provider.call('POST', `/simulation/subscriptions/${subscriptionOf(told)}`, {
    form: { status: 'past_due' },
  });
  expect(provider.deliveries).toHaveLength(6);
  await hold(false);
  await eventually(() => provider.deliveries.length === 8);
  expect(typesOf(provider.deliveries.slice(6))).toEqual([
    'customer.subscription.updated',
    'invoice.payment_failed',
  ]);
});

function subscriptionOf(told: readonly Told[]): string {
  const [created] = told.filter(({ event }) => event.type === 'customer.subscription.created');
  return (created!.event.data.object as Stripe.Subscription).id;
}

test('an event that fails for three days is given up', async () => {
  provider.webhook.status = 500;
  await payFor(await beginCheckout(provider.stripe));
  provider.clock.offsetMs = 3 * 86_400_000 + 60_000;
  await provider.stop();
  const { file, clock } = provider;
  provider = await startStandIn(file, { clock, webhook: { status: 500 } });
  await eventually(async () => (await events()).every(({ state }) => state === 'given_up'));
});

test('a file that the provider did not write stops the start with a remedy', async () => {
  const kept = readFileSync(provider.file, 'utf8');
  for (const broken of ['', '{}', kept.slice(0, 100), '[]']) {
    writeFileSync(provider.file, broken);
    const start = startStandIn(provider.file);
    await expect(start).rejects.toThrow(StartupError);
    await expect(start).rejects.toThrow('move it away, which forgets customers and subscriptions');
    expect(readFileSync(provider.file, 'utf8')).toBe(broken);
  }
  writeFileSync(provider.file, kept);
});
