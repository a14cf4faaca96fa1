import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import type { PaymentProvider, ProvidedSubscription } from '../../support/paymentProvider.ts';
import { deliver, eventOf } from '../../support/webhookEvents.ts';

export const RETURN_URLS = {
  success_url: 'https://app.example/paid?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost:8080/plans',
};

/** An organisation that buys. */
export interface Buyer {
  readonly client: Api;
  readonly orgId: string;
  readonly key: string;
  readonly customer: string;
  /** Pays at the provider, which sends no event. */
  subscribe(price: string, fields?: Parameters<PaymentProvider['subscribe']>[2]): ProvidedSubscription;
  /** Delivers an event that is about the organisation's customer. */
  tell(type: string, object?: object): Promise<{ status: number }>;
  plan(): Promise<string>;
}

export const checkout = (client: Api, plan: string, fields: object = {}): Promise<ApiAnswer> =>
  client('POST', '/v1/billing/checkout', { plan, ...RETURN_URLS, ...fields });

export async function newOrganisation(baseUrl: string) {
  const { body } = await api(baseUrl)('POST', '/v1/auth/signup', { name: 'A buyer' });
  const { organisation, api_key } = body.data;
  return { orgId: String(organisation.id), key: String(api_key.key), client: api(baseUrl, api_key.key) };
}

/** One that has opened a checkout page. */
export async function newBuyer({ baseUrl }: { baseUrl: string }, stripe: PaymentProvider): Promise<Buyer> {
  const organisation = await newOrganisation(baseUrl);
  const { client, orgId } = organisation;
  const answer = await checkout(client, 'pro');
  if (answer.status !== 200) throw new Error(`checkout: ${answer.status} ${JSON.stringify(answer.body)}`);
  const [customer = ''] = stripe.customersOf(orgId);
  return {
    ...organisation,
    customer,
    subscribe: (price, fields) => stripe.subscribe(customer, price, fields),
    tell: (type, object = {}) => deliver(baseUrl, eventOf(type, { customer, ...object })),
    plan: async () => (await client('GET', '/v1/billing/usage')).body.plan,
  };
}

export async function newSubscriber(
  service: { baseUrl: string },
  stripe: PaymentProvider,
  plan: 'pro' | 'scale' = 'pro',
) {
  const buyer = await newBuyer(service, stripe);
  const subscription = buyer.subscribe(`price_${plan}`);
  await buyer.tell('checkout.session.completed');
  return { ...buyer, subscription };
}
