import type { Pages } from '../http/httpServer.ts';
import { createPaymentApi } from './api.ts';
import { startPaymentApiServer } from './apiServer.ts';
import { Deliveries } from './deliveries.ts';
import { noHooks } from './hooks.ts';
import { createPaymentPages } from './pages/pages.ts';
import { METER_EVENT_NAME, OFFERS } from './resources/catalogue.ts';
import { openPaymentStore } from './resources/store.ts';

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
  const baseUrl = (): string => serviceUrl;
  const server = await startPaymentApiServer(
    createPaymentApi({
      store,
      now,
      baseUrl,
      hooks: noHooks(),
      changed: () => deliveries?.wake(),
      deliverAgain: async (eventId) => (await deliveries?.deliverAgain(eventId)) ?? 0,
    }),
  );
  const delivered = async (): Promise<void> => {
    deliveries?.wake();
    await deliveries?.settled();
  };
  return {
    apiBase: server.url,
    environment: environmentOf(server.url, store.read()),
    pages: createPaymentPages({ store, now, baseUrl, delivered }),
    open(url) {
      serviceUrl = url;
      const begun = new Deliveries({ store, webhookUrl: url + WEBHOOK_PATH, now });
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
    STRIPE_PRICE_PRO: OFFERS.pro.price.id,
    STRIPE_PRICE_SCALE: OFFERS.scale.price.id,
    STRIPE_PRICE_PRO_OVERAGE: OFFERS.pro.overage.id,
    STRIPE_PRICE_SCALE_OVERAGE: OFFERS.scale.overage.id,
    STRIPE_METER_EVENT_NAME: METER_EVENT_NAME,
  };
}
