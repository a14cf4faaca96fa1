import type Stripe from 'stripe';
import { PAID_PLANS } from '../contracts/billing.ts';
import type { OverageReport, Payments, Subscription } from '../domain/billing/ports.ts';
import type { Log } from '../runtime/log.ts';
import type { PaymentsConfig } from '../runtime/paymentsConfig.ts';
import { checkoutOf, closeCheckouts } from './checkoutSessions.ts';
import { ask, isDuplicate, isMissing, stripeClient } from './client.ts';
import { itemsOf } from './subscriptionItems.ts';
import { customerOfEvent } from './webhookEvents.ts';

const SUBSCRIPTIONS_MAX = 100;

/** Idempotency keys of SDK retries only: Stripe repeats the first answer to a key for a day, a 500 too. */
export function stripePayments(config: PaymentsConfig, log: Log): Payments {
  const stripe = stripeClient(config);
  return {
    async createCustomer(orgId) {
      const customer = { description: `Organisation ${orgId}`, metadata: { org_id: orgId } };
      const { id } = await ask(log, 'create_customer', () => stripe.customers.create(customer));
      return id;
    },

    closeCheckouts: (customerId) =>
      ask(log, 'close_checkouts', () => closeCheckouts(stripe, customerId, { but: 0 })),

    async createCheckout(checkout) {
      const { url } = await ask(log, 'create_checkout', () =>
        stripe.checkout.sessions.create(checkoutOf(checkout, config)),
      );
      if (url === null) throw new Error('The payment provider made a checkout session without an address');
      await ask(log, 'close_checkouts', () => closeCheckouts(stripe, checkout.customerId, { but: 1 }));
      return url;
    },

    async createPortal(customerId) {
      const { url } = await ask(log, 'create_portal', () =>
        stripe.billingPortal.sessions.create({ customer: customerId }),
      );
      return url;
    },

    subscriptionsOf: (customerId) =>
      ask(log, 'list_subscriptions', async () => {
        const question = { customer: customerId, status: 'all', limit: SUBSCRIPTIONS_MAX } as const;
        const listed = await stripe.subscriptions.list(question).catch((error: unknown) => {
          if (isMissing(error, 'customer')) return undefined;
          throw error;
        });
        return listed?.data.map((subscription) => subscriptionOf(subscription, config));
      }),

    changePlan: (subscriptionId, plan) =>
      ask(log, 'change_plan', async () => {
        const items = itemsOf(await stripe.subscriptions.retrieve(subscriptionId), plan, config);
        await stripe.subscriptions.update(subscriptionId, { items, proration_behavior: 'always_invoice' });
      }),

    async endSubscription(subscriptionId) {
      const how = { invoice_now: true, prorate: false };
      await ask(log, 'end_subscription', () => stripe.subscriptions.cancel(subscriptionId, how));
    },

    async reportOverage(report) {
      await ask(log, 'report_overage', () =>
        stripe.billing.meterEvents.create(meterEventOf(report, config)).catch((error: unknown) => {
          if (!isDuplicate(error)) throw error;
        }),
      );
    },

    customerOfEvent: (delivery) => customerOfEvent(config, delivery),
  };
}

function subscriptionOf(
  { id, status, created, cancel_at, items }: Stripe.Subscription,
  { prices }: PaymentsConfig,
): Subscription {
  const bought = new Set(items.data.map(({ price }) => price.id));
  const plan = PAID_PLANS.find((paid) => prices[paid].monthly.some((price) => bought.has(price)));
  return { id, status, plan, createdAt: created, cancelAt: cancel_at };
}

/** A repeated event has the same identifier, and counts once. */
const meterEventOf = (
  { id, customerId, from, to, at: timeMs }: OverageReport,
  { meterEventName }: PaymentsConfig,
) => ({
  event_name: meterEventName,
  identifier: id,
  timestamp: Math.floor(timeMs / 1_000),
  payload: { stripe_customer_id: customerId, value: String(to - from) },
});
