import * as z from 'zod';
import { METER_EVENT_NAME } from './catalogue.ts';
import { type Change, newId, seconds, type View } from './change.ts';
import type { List, MeterEvent } from './objects.ts';
import { text, wholeNumber } from './parameters.ts';
import { invalidParameter, ProviderError } from './providerError.ts';

const PAST_SECONDS = 35 * 86_400;
const FUTURE_SECONDS = 300;

export const meterEventParameters = z.object({
  event_name: text.max(100),
  identifier: text.max(100).optional(),
  payload: z.record(z.string(), z.string()),
  timestamp: wholeNumber.optional(),
});

export const meterEventFilter = z.object({ customer: text.optional() });

export function createMeterEvent(
  { state, nowMs }: Change,
  params: z.output<typeof meterEventParameters>,
): MeterEvent {
  const now = seconds(nowMs);
  const { event_name, payload, identifier = newId('me'), timestamp = now } = params;
  if (event_name !== METER_EVENT_NAME) {
    throw invalidParameter('event_name', `No active meter found with event_name '${event_name}'.`);
  }
  if (payload.stripe_customer_id === undefined) {
    throw invalidParameter('payload', "The payload must have the key 'stripe_customer_id'.");
  }
  if (!/^\d{1,15}$/.test(payload.value ?? '')) {
    throw invalidParameter('payload', "The payload's 'value' must be a whole number that is not negative.");
  }
  if (timestamp < now - PAST_SECONDS || timestamp > now + FUTURE_SECONDS) {
    throw invalidParameter('timestamp', 'Timestamp must be within the past 35 days and 5 minutes ahead.');
  }
  if (state.meterEvents.some((known) => known.identifier === identifier)) {
    throw new ProviderError(400, `An event already exists with identifier ${identifier}.`);
  }
  const event: MeterEvent = {
    object: 'billing.meter_event',
    created: now,
    event_name,
    identifier,
    livemode: false,
    payload,
    timestamp,
  };
  state.meterEvents.push(event);
  return event;
}

/** Oldest first. Stripe's API only returns sums. */
export function listMeterEvents(
  { state }: View,
  { customer }: z.output<typeof meterEventFilter>,
): List<MeterEvent> {
  const data = state.meterEvents.filter(
    ({ payload }) => customer === undefined || payload.stripe_customer_id === customer,
  );
  return { object: 'list', data, has_more: false, url: '/simulation/meter_events' };
}
