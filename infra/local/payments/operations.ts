import * as z from 'zod';
import type { Form } from './form.ts';
import type { Change, View } from './resources/change.ts';
import {
  checkoutFilter,
  checkoutOf,
  checkoutParameters,
  createCheckout,
  currentCheckout,
  expireCheckout,
  listCheckouts,
} from './resources/checkouts.ts';
import { createCustomer, customerOf, customerParameters } from './resources/customers.ts';
import {
  createMeterEvent,
  listMeterEvents,
  meterEventFilter,
  meterEventParameters,
} from './resources/meterEvents.ts';
import { flag, parseParameters, wholeNumber } from './resources/parameters.ts';
import { createPortal, currentPortal, portalParameters } from './resources/portals.ts';
import {
  cancelSubscription,
  deleteCustomer,
  listSubscriptions,
  retrieveSubscription,
  setStatus,
  subscriptionFilter,
  subscriptionUpdate,
  updateSubscription,
} from './resources/subscriptions.ts';

type Method = 'GET' | 'POST' | 'DELETE';

interface Operation<Context> {
  readonly method: Method;
  /** `:id` marks the one parameter of a path. */
  readonly path: string;
  /** Parses the parameters, throws on wrong ones, and returns the operation to run. */
  prepare(form: Form, id: string): (context: Context) => object;
}

export type Read = Operation<View>;
export type Write = Operation<Change>;

const none = z.object({});

function operation<Context, T>(
  method: Method,
  path: string,
  schema: z.ZodType<T>,
  run: (context: Context, params: T, id: string) => object,
): Operation<Context> {
  return {
    method,
    path,
    prepare(form, id) {
      const params = parseParameters(schema, form);
      return (context) => run(context, params, id);
    },
  };
}

const SESSIONS = '/v1/checkout/sessions';
const SUBSCRIPTIONS = '/v1/subscriptions';

/** Paths below `/simulation/` are hooks for tests, which Stripe does not have. */
export const READS: readonly Read[] = [
  operation('GET', '/v1/customers/:id', none, (view, _params, id) => customerOf(view, id)),
  operation('GET', SESSIONS, checkoutFilter, listCheckouts),
  operation('GET', `${SESSIONS}/:id`, none, (view, _params, id) =>
    currentCheckout(view, checkoutOf(view, id)),
  ),
  operation('GET', SUBSCRIPTIONS, subscriptionFilter, listSubscriptions),
  operation('GET', `${SUBSCRIPTIONS}/:id`, none, (view, _params, id) => retrieveSubscription(view, id)),
  operation('GET', '/simulation/meter_events', meterEventFilter, listMeterEvents),
  operation('GET', '/simulation/events', none, ({ state }) => ({ object: 'list', data: state.events })),
];

export const WRITES: readonly Write[] = [
  operation('POST', '/v1/customers', customerParameters, createCustomer),
  operation('DELETE', '/v1/customers/:id', none, (change, _params, id) => deleteCustomer(change, id)),
  operation('POST', SESSIONS, checkoutParameters, (change, params) => {
    const { id } = createCheckout(change, params);
    return currentCheckout(change, checkoutOf(change, id));
  }),
  operation('POST', `${SESSIONS}/:id/expire`, none, (change, _params, id) => expireCheckout(change, id)),
  operation('POST', '/v1/billing_portal/sessions', portalParameters, (change, params) =>
    currentPortal(change, createPortal(change, params)),
  ),
  operation('POST', `${SUBSCRIPTIONS}/:id`, subscriptionUpdate, (change, params, id) =>
    updateSubscription(change, id, params),
  ),
  operation('DELETE', `${SUBSCRIPTIONS}/:id`, none, (change, _params, id) => cancelSubscription(change, id)),
  operation('POST', '/v1/billing/meter_events', meterEventParameters, createMeterEvent),
  operation(
    'POST',
    '/simulation/subscriptions/:id',
    z.object({ status: z.enum(['active', 'past_due', 'unpaid']) }),
    (change, { status }, id) => setStatus(change, id, status),
  ),
  operation('POST', '/simulation/deliveries', z.object({ held: flag }), ({ state }, { held }) => {
    state.deliveriesHeld = held;
    return { held };
  }),
  operation('POST', '/simulation/failures', z.object({ count: wholeNumber }), ({ state }, { count }) => {
    state.failuresDue = count;
    return { count };
  }),
];

export function findOperation<T extends Pick<Read, 'method' | 'path'>>(
  operations: readonly T[],
  method: string,
  path: string,
): { readonly operation: T; readonly id: string } | undefined {
  const segments = path.split('/');
  const operation = operations.find((candidate) => {
    const expected = candidate.path.split('/');
    const fits = (segment: string, index: number): boolean =>
      segment === ':id' ? segments[index] !== '' : segment === segments[index];
    return candidate.method === method && expected.length === segments.length && expected.every(fits);
  });
  if (operation === undefined) return undefined;
  return { operation, id: segments[operation.path.split('/').indexOf(':id')] ?? '' };
}
