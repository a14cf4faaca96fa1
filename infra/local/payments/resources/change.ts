import { randomBytes } from 'node:crypto';
import type { Event, EventType } from './objects.ts';
import type { PaymentsState, ReadonlyState } from './store.ts';

export interface View {
  readonly state: ReadonlyState;
  readonly nowMs: number;
  /** The address of the service, which serves the payment pages. */
  readonly baseUrl: string;
}

export interface Change extends View {
  readonly state: PaymentsState;
  readonly request: Event['request'];
}

/** The version of Stripe's API that the objects follow. */
const API_VERSION = '2026-10-28.endive';

/** Too long to be guessed: knowing an id gives access to its page. */
const ID_BYTES = 20;

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`;
}

export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** Adds an event with a copy of the object. It stays pending until the webhook has accepted it. */
export function emit(
  { state, nowMs, request }: Change,
  type: EventType,
  object: Event['data']['object'],
): void {
  const event: Event = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: seconds(nowMs),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request,
    type,
  };
  state.events.push({ event, state: 'pending', attempts: 0, nextAttemptAtMs: nowMs });
}
