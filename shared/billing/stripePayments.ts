import type Stripe from 'stripe';
import { PAID_PLANS } from '../contracts/billing.ts';
import type { Checkout, OverageReport, Payments, Subscription } from '../domain/billing/ports.ts';
import type { Log } from '../runtime/log.ts';
import type { PaymentsConfig } from '../runtime/paymentsConfig.ts';
import { ask, isDuplicate, isMissing, stripeClient } from './client.ts';
import { customerOfEvent } from './webhookEvents.ts';

const SUBSCRIPTIONS_MAX = 100;

export function stripePayments(config: PaymentsConfig, log: Log): Payments {
  const stripe = stripeClient(config);
  return {
    async createCustomer(orgId, idempotencyKey) {
      const customer = { description: `Organisation ${orgId}`, metadata: { org_id: orgId } };
      const { id } = await ask(log, 'create_customer', () =>
        stripe.customers.create(customer, { idempotencyKey }),
      );
      return id;
    },

    async createCheckout(checkout) {
      const { url } = await ask(log, 'create_checkout', () =>
        stripe.checkout.sessions.create(checkoutOf(checkout, config)),
      );
      if (url === null) throw new Error('The payment provider made a checkout session without an address');
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
        const found = await stripe.subscriptions.list(question).catch((error: unknown) => {
          if (isMissing(error, 'customer')) return undefined;
          throw error;
        });
        return found?.data.map((subscription) => subscriptionOf(subscription, config));
      }),

    async reportOverage(report) {
      await ask(log, 'report_overage', () =>
        stripe.billing.meterEvents
          .create(meterEventOf(report, config), { idempotencyKey: report.id })
          .catch((error: unknown) => {
            if (!isDuplicate(error)) throw error;
          }),
      );
    },

    customerOfEvent: (delivery) => customerOfEvent(config, delivery),
  };
}

function checkoutOf(
  { orgId, customerId, plan, successUrl, cancelUrl }: Checkout,
  { prices }: PaymentsConfig,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { org_id: orgId };
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: orgId,
    // What is used beyond the plan is metered: it has no quantity.
    line_items: [{ price: prices[plan].monthly[0] ?? '', quantity: 1 }, { price: prices[plan].overage }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata,
    subscription_data: { metadata },
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

const meterEventOf = (
  { id, customerId, from, to, at }: OverageReport,
  { meterEventName }: PaymentsConfig,
) => ({
  event_name: meterEventName,
  identifier: id,
  timestamp: Math.floor(at / 1_000),
  payload: { stripe_customer_id: customerId, value: String(to - from) },
});
