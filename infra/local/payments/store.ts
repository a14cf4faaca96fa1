import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { writePrivateFile } from '../data/privateFile.ts';
import { messageOf, StartupError } from '../startupError.ts';
import type { Price } from './catalogue.ts';

/** Stripe's objects as they travel: the fields that our client and the pages read. Times are Unix seconds. */
interface Made {
  readonly id: string;
  readonly created: number;
}

type Metadata = Readonly<Record<string, string>>;

interface Customer extends Made {
  readonly object: 'customer';
  readonly description: string;
  readonly metadata: Metadata;
}

export interface Checkout extends Made {
  readonly object: 'checkout.session';
  readonly customer: string;
  readonly prices: readonly string[];
  readonly metadata: Metadata;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly expires_at: number;
  status: 'open' | 'complete' | 'expired';
}

export interface SubscriptionItem {
  readonly id: string;
  readonly object: 'subscription_item';
  price: Price;
}

/** The simulation itself uses `active`, `past_due`, `unpaid` and `canceled`. */
export type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'paused'
  | 'trialing'
  | 'unpaid';

export interface Subscription extends Made {
  readonly object: 'subscription';
  readonly customer: string;
  readonly metadata: Metadata;
  readonly cancel_at: null;
  readonly items: List<SubscriptionItem>;
  status: SubscriptionStatus;
}

export interface Portal extends Made {
  readonly object: 'billing_portal.session';
  readonly customer: string;
}

interface MeterEvent extends Omit<Made, 'id'> {
  readonly object: 'billing.meter_event';
  readonly event_name: string;
  readonly identifier: string;
  readonly timestamp: string;
  readonly payload: { readonly stripe_customer_id: string; readonly value: string };
}

export interface Event extends Made {
  readonly object: 'event';
  readonly api_version: string;
  readonly livemode: false;
  readonly type: `customer.subscription.${'updated' | 'deleted'}` | 'checkout.session.completed';
  /** A copy of the object at the time of the event. */
  readonly data: { readonly object: Checkout | Subscription };
}

export interface List<T> {
  readonly object: 'list';
  readonly data: T[];
  readonly has_more: false;
}

export const listOf = <T>(data: T[]): List<T> => ({ object: 'list', data, has_more: false });

export interface PaymentsState {
  readonly secretKey: string;
  readonly webhookSecret: string;
  customers: Customer[];
  checkouts: Checkout[];
  portals: Portal[];
  subscriptions: Subscription[];
  meterEvents: MeterEvent[];
  /** Those that the webhook has not accepted. */
  events: Event[];
}

/** Reads the state, or changes it: what changed is on disk when this returns. Changes nothing if `make` throws. */
export type PaymentStore = <T>(make: (state: PaymentsState) => T) => T;

export const emptyState = (): PaymentsState => ({
  secretKey: `sk_test_${randomBytes(24).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  customers: [],
  checkouts: [],
  portals: [],
  subscriptions: [],
  meterEvents: [],
  events: [],
});

/** What is older than this is forgotten, except for customers and subscriptions. */
const KEPT_MS = 35 * 86_400_000;

/** Keeps the whole state in one file. */
export function openPaymentStore(file: string, now: () => number): PaymentStore {
  let text = readState(file);
  return (make) => {
    const draft = JSON.parse(text) as PaymentsState;
    const result = make(draft);
    if (textOf(draft) === text) return result;
    forgetOld(draft, now());
    text = textOf(draft);
    writePrivateFile(file, text);
    return result;
  };
}

const textOf = (state: PaymentsState): string => `${JSON.stringify(state, undefined, 1)}\n`;

function forgetOld(state: PaymentsState, nowMs: number): void {
  const isKept = ({ created }: { readonly created: number }): boolean => created * 1_000 > nowMs - KEPT_MS;
  state.checkouts = state.checkouts.filter(isKept);
  state.portals = state.portals.filter(isKept);
  state.meterEvents = state.meterEvents.filter(isKept);
  state.events = state.events.filter(isKept);
}

const list = z.array(z.unknown());
const fileSchema = z.object({
  secretKey: z.string().min(1),
  webhookSecret: z.string().min(1),
  customers: list,
  checkouts: list,
  portals: list,
  subscriptions: list,
  meterEvents: list,
  events: list,
});

function readState(file: string): string {
  if (!existsSync(file)) {
    const text = textOf(emptyState());
    writePrivateFile(file, text);
    return text;
  }
  try {
    return textOf(fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) as PaymentsState);
  } catch (error) {
    const reason = error instanceof z.ZodError ? 'it is not what this service wrote' : messageOf(error);
    throw new StartupError(
      `The simulated payment provider's file ${file} cannot be read (${reason}): make it readable, or move it ` +
        'away, which forgets customers and subscriptions.',
    );
  }
}
