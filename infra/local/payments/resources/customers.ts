import * as z from 'zod';
import { type Change, newId, seconds, type View } from './change.ts';
import type { Customer } from './objects.ts';
import { metadata, text } from './parameters.ts';
import { noSuch } from './providerError.ts';

export const customerParameters = z.object({
  name: text.optional(),
  email: text.optional(),
  description: text.optional(),
  metadata: metadata.default({}),
});

export function createCustomer(
  { state, nowMs }: Change,
  params: z.output<typeof customerParameters>,
): Customer {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    balance: 0,
    created: seconds(nowMs),
    default_source: null,
    description: params.description ?? null,
    email: params.email ?? null,
    livemode: false,
    metadata: params.metadata,
    name: params.name ?? null,
    shipping: null,
  };
  state.customers.push(customer);
  return customer;
}

/** `param`: the parameter with the customer's id, if it is not in the path. */
export function customerOf({ state }: Pick<View, 'state'>, id: string, param?: string): Customer {
  const customer = state.customers.find((candidate) => candidate.id === id);
  if (customer === undefined) throw noSuch('customer', id, param);
  return customer;
}
