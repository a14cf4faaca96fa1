import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { writePrivateFile } from '../../data/privateFile.ts';
import { messageOf, StartupError } from '../../startupError.ts';
import type {
  CheckoutSession,
  Customer,
  Event,
  LineItem,
  Metadata,
  MeterEvent,
  PortalSession,
  Subscription,
} from './objects.ts';

export interface StoredCheckout {
  readonly session: CheckoutSession;
  readonly lineItems: readonly LineItem[];
  readonly subscriptionMetadata: Metadata;
}

/** An event stays pending until the webhook has accepted it, or the provider has given up. */
export interface StoredEvent {
  readonly event: Event;
  state: 'pending' | 'delivered' | 'given_up';
  attempts: number;
  nextAttemptAtMs: number;
}

/** The first answer to a request with an idempotency key. */
export interface KeptAnswer {
  readonly key: string;
  /** A hash of method, path and parameters. */
  readonly fingerprint: string;
  readonly atMs: number;
  readonly status: number;
  readonly body: unknown;
}

export interface PaymentsState {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** While true no event is delivered, as if the webhook were unreachable. */
  deliveriesHeld: boolean;
  /** How many of the next requests are answered with a 500. */
  failuresDue: number;
  customers: Customer[];
  checkouts: StoredCheckout[];
  portals: PortalSession[];
  subscriptions: Subscription[];
  meterEvents: MeterEvent[];
  events: StoredEvent[];
  keptAnswers: KeptAnswer[];
}

export type ReadonlyState = Readonly<PaymentsState>;

export interface PaymentStore {
  read(): ReadonlyState;
  /** Applies a change and writes it to disk, or does nothing if it throws. */
  change<T>(make: (draft: PaymentsState) => T): T;
}

const DAY_MS = 86_400_000;
export const KEPT_ANSWER_MS = DAY_MS;
/** The oldest date of a meter event that is accepted: identifiers are known at least as long. */
const METER_EVENT_MS = 35 * DAY_MS;
const HISTORY_MS = 30 * DAY_MS;

const list = z.array(z.unknown());
const fileSchema = z.object({
  secretKey: z.string().min(1),
  webhookSecret: z.string().min(1),
  deliveriesHeld: z.boolean(),
  failuresDue: z.int().default(0),
  customers: list,
  checkouts: list,
  portals: list,
  subscriptions: list,
  meterEvents: list,
  events: list,
  keptAnswers: list,
});

/** A store that ends with this process. A change that throws may leave a part of itself. */
export function memoryPaymentStore(now: () => number): PaymentStore {
  const state = emptyState();
  return {
    read: () => state,
    change(make) {
      const result = make(state);
      forgetOld(state, now());
      return result;
    },
  };
}

/** Keeps the provider's whole state in one file, which every change writes and renames. */
export function openPaymentStore(file: string, now: () => number): PaymentStore {
  let state = readState(file);
  if (state === undefined) {
    state = emptyState();
    writeState(file, state);
  }
  let current: PaymentsState = state;
  return {
    read: () => current,
    change(make) {
      const draft = structuredClone(current);
      const result = make(draft);
      forgetOld(draft, now());
      writeState(file, draft);
      current = draft;
      return result;
    },
  };
}

function emptyState(): PaymentsState {
  return {
    secretKey: `sk_test_${randomBytes(24).toString('hex')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
    deliveriesHeld: false,
    failuresDue: 0,
    customers: [],
    checkouts: [],
    portals: [],
    subscriptions: [],
    meterEvents: [],
    events: [],
    keptAnswers: [],
  };
}

function readState(file: string): PaymentsState | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) as PaymentsState;
  } catch (error) {
    const reason = error instanceof z.ZodError ? 'it is not what this service wrote' : messageOf(error);
    throw new StartupError(
      `The simulated payment provider's file ${file} cannot be read (${reason}): make it readable, or move it ` +
        'away, which forgets customers and subscriptions.',
    );
  }
}

function writeState(file: string, state: PaymentsState): void {
  writePrivateFile(file, `${JSON.stringify(state, undefined, 1)}\n`);
}

function forgetOld(state: PaymentsState, nowMs: number): void {
  const since = (seconds: number, ms: number): boolean => seconds * 1_000 > nowMs - ms;
  state.keptAnswers = state.keptAnswers.filter(({ atMs }) => atMs > nowMs - KEPT_ANSWER_MS);
  state.meterEvents = state.meterEvents.filter(({ created }) => since(created, METER_EVENT_MS));
  state.portals = state.portals.filter(({ created }) => since(created, DAY_MS));
  state.checkouts = state.checkouts.filter(({ session }) => since(session.created, HISTORY_MS));
  state.events = state.events.filter(
    ({ event, state: delivery }) => delivery === 'pending' || since(event.created, HISTORY_MS),
  );
}
