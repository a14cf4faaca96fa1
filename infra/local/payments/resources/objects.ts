/** Stripe's objects on the wire, only the fields that are read. Times are Unix seconds, amounts cents. */
export type Metadata = Record<string, string>;

export interface Price {
  readonly id: string;
  readonly object: 'price';
  readonly active: true;
  readonly billing_scheme: 'per_unit';
  readonly created: number;
  readonly currency: 'usd';
  readonly livemode: false;
  readonly lookup_key: null;
  readonly metadata: Metadata;
  readonly nickname: string;
  readonly product: string;
  readonly recurring: {
    readonly interval: 'month';
    readonly interval_count: 1;
    readonly meter: string | null;
    readonly trial_period_days: null;
    readonly usage_type: 'licensed' | 'metered';
  };
  readonly type: 'recurring';
  /** Null when a unit costs a fraction of a cent. */
  readonly unit_amount: number | null;
  readonly unit_amount_decimal: string;
}

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly balance: 0;
  readonly created: number;
  readonly default_source: null;
  readonly description: string | null;
  readonly email: string | null;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly name: string | null;
  readonly shipping: null;
}

export interface LineItem {
  readonly price: string;
  readonly quantity: number | undefined;
}

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly amount_subtotal: number;
  readonly amount_total: number;
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
  readonly created: number;
  readonly currency: 'usd';
  customer: string | null;
  readonly customer_email: string | null;
  expires_at: number;
  invoice: string | null;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly mode: 'subscription';
  payment_status: 'unpaid' | 'paid';
  status: 'open' | 'complete' | 'expired';
  subscription: string | null;
  readonly success_url: string;
  readonly ui_mode: 'hosted_page';
  /** Where the customer pays; null once that is no longer possible. */
  url: string | null;
}

export interface SubscriptionItem {
  readonly id: string;
  readonly object: 'subscription_item';
  readonly created: number;
  readonly current_period_end: number;
  readonly current_period_start: number;
  readonly metadata: Metadata;
  readonly price: Price;
  readonly quantity?: number;
  readonly subscription: string;
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

export interface Subscription {
  readonly id: string;
  readonly object: 'subscription';
  readonly billing_cycle_anchor: number;
  readonly billing_mode: { readonly flexible: null; readonly type: 'flexible' };
  readonly cancel_at: null;
  readonly cancel_at_period_end: false;
  canceled_at: number | null;
  readonly collection_method: 'charge_automatically';
  readonly created: number;
  readonly currency: 'usd';
  readonly customer: string;
  readonly description: null;
  ended_at: number | null;
  items: List<SubscriptionItem>;
  readonly latest_invoice: string;
  readonly livemode: false;
  metadata: Metadata;
  readonly start_date: number;
  status: SubscriptionStatus;
}

export interface PortalSession {
  readonly id: string;
  readonly object: 'billing_portal.session';
  readonly configuration: string;
  readonly created: number;
  readonly customer: string;
  readonly flow: null;
  readonly livemode: false;
  readonly locale: null;
  readonly on_behalf_of: null;
  readonly return_url: string | null;
  url: string;
}

export interface Invoice {
  readonly id: string;
  readonly object: 'invoice';
  readonly amount_due: number;
  readonly amount_paid: number;
  readonly amount_remaining: number;
  readonly billing_reason: 'subscription_create' | 'subscription_cycle';
  readonly collection_method: 'charge_automatically';
  readonly created: number;
  readonly currency: 'usd';
  readonly customer: string;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly parent: {
    readonly quote_details: null;
    readonly subscription_details: { readonly metadata: Metadata; readonly subscription: string };
    readonly type: 'subscription_details';
  };
  readonly status: 'paid' | 'open';
  readonly total: number;
}

export interface MeterEvent {
  readonly object: 'billing.meter_event';
  readonly created: number;
  readonly event_name: string;
  readonly identifier: string;
  readonly livemode: false;
  readonly payload: Record<string, string>;
  readonly timestamp: number;
}

export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'customer.deleted'
  | 'customer.subscription.created'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'invoice.paid'
  | 'invoice.payment_failed';

export interface Event {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  /** A copy of the object at the time of the event. */
  readonly data: { readonly object: CheckoutSession | Customer | Subscription | Invoice };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: EventType;
}

export interface List<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly url: string;
}
