import type { Pages } from '../http/httpServer.ts';
import { answerOf, startPaymentApiServer } from './api.ts';
import { METER_EVENT_NAME, monthlyId, overageId } from './catalogue.ts';
import { type Deliveries, startDeliveries } from './deliveries.ts';
import { createPaymentPages } from './pages.ts';
import { openPaymentStore } from './store.ts';

export interface SimulatedPayments {
  readonly apiBase: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly pages: Pages;
  open(serviceUrl: string): () => Promise<void>;
  stop(): Promise<void>;
}

const WEBHOOK_PATH = '/v1/billing/webhook';

/** Starts a payment provider in this process, for purchases without an account at Stripe. */
export async function startSimulatedPayments(
  file: string,
  now: () => number = Date.now,
): Promise<SimulatedPayments> {
  const store = openPaymentStore(file, now);
  let serviceUrl = '';
  let deliveries: Deliveries | undefined;
  const deliver = async (): Promise<void> => deliveries?.deliver();
  const server = await startPaymentApiServer(async (request) => {
    const answer = answerOf({ store, now, baseUrl: () => serviceUrl }, request);
    void deliver();
    return answer;
  });
  return {
    apiBase: server.url,
    environment: environmentOf(
      server.url,
      store((state) => state),
    ),
    pages: createPaymentPages({ store, now, deliver }),
    open(url) {
      serviceUrl = url;
      const begun = startDeliveries(store, url + WEBHOOK_PATH, now);
      deliveries = begun;
      return () => begun.stop();
    },
    stop: () => server.stop(),
  };
}

export function environmentOf(
  apiBase: string,
  { secretKey, webhookSecret }: { readonly secretKey: string; readonly webhookSecret: string },
): Record<string, string> {
  return {
    STRIPE_API_BASE: apiBase,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
    STRIPE_PRICE_PRO: monthlyId('pro'),
    STRIPE_PRICE_SCALE: monthlyId('scale'),
    STRIPE_PRICE_PRO_OVERAGE: overageId('pro'),
    STRIPE_PRICE_SCALE_OVERAGE: overageId('scale'),
    STRIPE_METER_EVENT_NAME: METER_EVENT_NAME,
  };
}
