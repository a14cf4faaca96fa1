import * as z from 'zod';
import { type Change, newId, seconds, type View } from './change.ts';
import { customerOf } from './customers.ts';
import type { PortalSession } from './objects.ts';
import { text, webUrl } from './parameters.ts';
import { invalidParameter, noSuch } from './providerError.ts';

const HOUR_SECONDS = 3_600;

export const portalParameters = z.object({
  customer: text,
  return_url: webUrl.optional(),
  flow_data: z.object({ type: text }).optional(),
});

const portalPath = (id: string): string => `/payments/portal/${id}`;

export function createPortal(
  { state, nowMs }: Change,
  { customer, return_url, flow_data }: z.output<typeof portalParameters>,
): PortalSession {
  customerOf({ state }, customer, 'customer');
  // Stripe refuses this for subscriptions of several prices, which all of ours are.
  if (flow_data?.type.startsWith('subscription_update')) {
    throw invalidParameter('flow_data[type]', 'This subscription cannot be updated in the portal.');
  }
  const portal: PortalSession = {
    id: newId('bps'),
    object: 'billing_portal.session',
    configuration: 'bpc_simulated',
    created: seconds(nowMs),
    customer,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: return_url ?? null,
    url: '',
  };
  state.portals.push(portal);
  return portal;
}

export function currentPortal({ baseUrl }: View, portal: PortalSession): PortalSession {
  return { ...portal, url: baseUrl + portalPath(portal.id) };
}

export function portalOf({ state, nowMs }: Pick<View, 'state' | 'nowMs'>, id: string): PortalSession {
  const portal = state.portals.find((candidate) => candidate.id === id);
  if (portal === undefined || portal.created + HOUR_SECONDS <= seconds(nowMs)) {
    throw noSuch('billing_portal.session', id);
  }
  return portal;
}
