import * as z from 'zod';
import { METER_EVENT_NAME } from './catalogue.ts';
import type { Form } from './form.ts';
import {
  changeSubscription,
  checkoutOf,
  closeCheckout,
  type Moment,
  newId,
  newItem,
  openCheckout,
  requireItem,
  seconds,
} from './provider.ts';
import { ProviderError } from './providerError.ts';
import { type Checkout, listOf, type SubscriptionItem } from './store.ts';

interface Context extends Moment {
  /** The address of the service, which serves the payment pages. */
  readonly baseUrl: string;
}

interface Operation {
  readonly method: string;
  /** Its one group is the id in the path. */
  readonly path: RegExp;
  run(context: Context, form: Form, id: string): object;
}

/** Parameters that our client does not send are refused, so that a change of the client is noticed here. */
function operation<Shape extends z.ZodRawShape>(
  method: string,
  path: RegExp,
  shape: Shape,
  run: (context: Context, params: z.output<z.ZodObject<Shape>>, id: string) => object,
): Operation {
  const schema = z.strictObject(shape);
  return {
    method,
    path,
    run(context, form, id) {
      const parsed = schema.safeParse(form);
      if (!parsed.success) throw new ProviderError(400, z.prettifyError(parsed.error));
      return run(context, parsed.data as z.output<z.ZodObject<Shape>>, id);
    },
  };
}

const text = z.string().min(1);
/** http and https only: the pages link to it. */
const webUrl = z.url({ protocol: /^https?$/ });
const metadata = z.record(z.string(), z.string());
const limit = z.literal('100');
/** Lists arrive as objects keyed by position. */
const listed = <Item extends z.ZodType>(item: Item) => z.record(z.string(), item);

const SESSIONS = '/v1/checkout/sessions';
const SUBSCRIPTIONS = '/v1/subscriptions';
const WITH_ID = String.raw`/(\w+)`;

/** What `shared/billing` calls, and what makes a payment fail, which Stripe has no operation for. */
export const OPERATIONS: readonly Operation[] = [
  operation('POST', /^\/v1\/customers$/, { description: text, metadata }, ({ state, nowMs }, params) => {
    const customer = { id: newId('cus'), object: 'customer', created: seconds(nowMs), ...params } as const;
    state.customers.push(customer);
    return customer;
  }),
  operation(
    'POST',
    new RegExp(`^${SESSIONS}$`),
    {
      mode: z.literal('subscription'),
      customer: text,
      client_reference_id: text,
      line_items: listed(z.strictObject({ price: text, quantity: z.literal('1').optional() })),
      success_url: webUrl,
      cancel_url: webUrl,
      metadata,
      subscription_data: z.strictObject({
        metadata,
        billing_mode: z.strictObject({ type: z.literal('flexible') }),
      }),
    },
    (context, { customer, line_items, success_url, cancel_url, metadata }) => {
      const prices = Object.values(line_items).map(({ price }) => price);
      return shown(context, openCheckout(context, { customer, prices, metadata, success_url, cancel_url }));
    },
  ),
  operation(
    'GET',
    new RegExp(`^${SESSIONS}$`),
    { customer: text, status: z.literal('open'), limit },
    (context, { customer }) => {
      requireItem(context.state.customers, 'customer', customer, 'customer');
      const all = context.state.checkouts.map(({ id }) => checkoutOf(context, id));
      const open = all.filter((checkout) => checkout.customer === customer && checkout.status === 'open');
      return listOf(open.toReversed().map((checkout) => shown(context, checkout)));
    },
  ),
  operation('POST', new RegExp(`^${SESSIONS}${WITH_ID}/expire$`), {}, (context, _params, id) =>
    shown(context, closeCheckout(context, id, 'expired')),
  ),
  operation(
    'POST',
    /^\/v1\/billing_portal\/sessions$/,
    { customer: text },
    ({ state, nowMs, baseUrl }, { customer }) => {
      requireItem(state.customers, 'customer', customer, 'customer');
      const id = newId('bps');
      const portal = { id, object: 'billing_portal.session', created: seconds(nowMs), customer } as const;
      state.portals.push(portal);
      return { ...portal, url: `${baseUrl}/payments/portal/${id}` };
    },
  ),
  operation(
    'GET',
    new RegExp(`^${SUBSCRIPTIONS}$`),
    { customer: text, status: z.literal('all'), limit },
    ({ state }, { customer }) => {
      requireItem(state.customers, 'customer', customer, 'customer');
      return listOf(
        state.subscriptions.filter((subscription) => subscription.customer === customer).toReversed(),
      );
    },
  ),
  operation('GET', new RegExp(`^${SUBSCRIPTIONS}${WITH_ID}$`), {}, ({ state }, _params, id) =>
    requireItem(state.subscriptions, 'subscription', id),
  ),
  operation(
    'POST',
    new RegExp(`^${SUBSCRIPTIONS}${WITH_ID}$`),
    {
      items: listed(z.strictObject({ id: text, price: text })),
      proration_behavior: z.literal('always_invoice'),
    },
    (context, { items }, id) =>
      changeSubscription(context, id, (subscription) => {
        for (const item of Object.values(items)) {
          const subscriptionItem: SubscriptionItem = requireItem(
            subscription.items.data,
            'subscription item',
            item.id,
            'items',
          );
          subscriptionItem.price = newItem(item.price).price;
        }
      }),
  ),
  operation(
    'DELETE',
    new RegExp(`^${SUBSCRIPTIONS}${WITH_ID}$`),
    { invoice_now: z.literal('true'), prorate: z.literal('false') },
    (context, _params, id) =>
      changeSubscription(context, id, (subscription) => {
        subscription.status = 'canceled';
      }),
  ),
  operation(
    'POST',
    /^\/v1\/billing\/meter_events$/,
    {
      event_name: z.literal(METER_EVENT_NAME),
      identifier: text.max(100),
      timestamp: z.string().regex(/^\d+$/),
      payload: z.strictObject({ stripe_customer_id: text, value: z.string().regex(/^\d{1,15}$/) }),
    },
    ({ state, nowMs }, params) => {
      const { identifier } = params;
      if (state.meterEvents.some((known) => known.identifier === identifier))
        throw new ProviderError(400, `An event already exists with identifier ${identifier}.`);
      const event = { object: 'billing.meter_event', created: seconds(nowMs), ...params } as const;
      state.meterEvents.push(event);
      return event;
    },
  ),
  operation(
    'POST',
    new RegExp(`^/simulation/subscriptions${WITH_ID}$`),
    { status: z.enum(['active', 'past_due', 'unpaid']) },
    (context, { status }, id) =>
      changeSubscription(context, id, (subscription) => {
        subscription.status = status;
      }),
  ),
];

/** `url`: where the customer pays, at the service's address of this moment; null once that is no longer possible. */
function shown({ baseUrl }: Context, checkout: Checkout): object {
  const isOpen = checkout.status === 'open';
  return { ...checkout, url: isOpen ? `${baseUrl}/payments/checkout/${checkout.id}` : null };
}
