import { randomBytes } from 'node:crypto';
import type { Event, EventType } from './objects.ts';
import type { PaymentsState, ReadonlyState } from './store.ts';

/** What an operation has at hand to answer from. */
export interface View {
  readonly state: ReadonlyState;
  readonly nowMs: number;
  /** Of the service whose pages the customer sees. */
  readonly baseUrl: string;
}

/** The same with a state to change, and the request that asks for it. */
export interface Change extends View {
  readonly state: PaymentsState;
  readonly request: Event['request'];
}

/** The version whose objects these are. */
const API_VERSION = '2026-10-28.endive';

/** Long enough that nobody guesses one: the pages have no other lock. */
const ID_BYTES = 20;

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`;
}

export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** Remembers what happened, as it is now, until our webhook has been told. */
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
