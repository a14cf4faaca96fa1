import type { PlanId } from '../../contracts/auth.ts';
import type { PaidPlanId } from '../../contracts/billing.ts';

/** A subscription as the payment provider has it now. */
export interface Subscription {
  readonly id: string;
  /** The provider's own word, such as `active` or `past_due`. */
  readonly status: string;
  /** What its price buys; undefined when that price is not ours. */
  readonly plan: PaidPlanId | undefined;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** When it ends unless it is renewed; seconds since 1970. */
  readonly cancelAt: number | null;
}

export interface Checkout {
  readonly orgId: string;
  readonly customerId: string;
  readonly plan: PaidPlanId;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** Runs beyond the plan that are told to the provider: the same event however often it is sent. */
export interface OverageReport {
  /** `<organisation>:<month>:<from>-<to>` */
  readonly id: string;
  readonly customerId: string;
  /** The month's overage told before, and with this report. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface WebhookDelivery {
  readonly rawBody: Buffer;
  readonly signature: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The payment provider. Whatever it does not do is PAYMENT_PROVIDER_UNAVAILABLE. */
export interface Payments {
  createCustomer(orgId: string): Promise<string>;
  /** None of the customer's checkout pages can be paid any more. */
  closeCheckouts(customerId: string): Promise<void>;
  /** Answers the address of the page. Of several that are made at once, one can be paid. */
  createCheckout(checkout: Checkout): Promise<string>;
  /** From now on the subscription has the prices of the plan; done twice it changes nothing more. */
  changePlan(subscriptionId: string, plan: PaidPlanId): Promise<void>;
  createPortal(customerId: string): Promise<string>;
  /** All of them, ended ones too; undefined when there is no such customer any more. */
  subscriptionsOf(customerId: string): Promise<readonly Subscription[] | undefined>;
  /** Done as well when the provider has the report already. */
  reportOverage(report: OverageReport): Promise<void>;
  /**
   * Whom an event is about: null for one that changes no subscription. Undefined for what the provider did not
   * sign, or not now.
   */
  customerOfEvent(delivery: WebhookDelivery): { readonly customerId: string | null } | undefined;
}

export interface BillingRecord {
  readonly customerId: string | null;
}

/** What the provider answered to a numbered question. */
export interface SubscriptionAnswer {
  readonly orgId: string;
  readonly question: number;
  readonly subscription: Subscription | null;
  /** What the answer makes of the plan. */
  readonly plan: (current: PlanId) => PlanId;
  /** The customer is gone from the provider. */
  readonly customerGone: boolean;
  readonly atMs: number;
}

export type PlanChanged =
  | { readonly outcome: 'changed'; readonly from: PlanId; readonly to: PlanId }
  /** `superseded`: the answer to a later question is applied already. */
  | { readonly outcome: 'unchanged' | 'superseded' | 'organisation_gone' };

export interface BillingStore {
  find(orgId: string): Promise<BillingRecord | undefined>;
  organisationOfCustomer(customerId: string): Promise<string | undefined>;
  /** The organisation's customer: the one kept first stays. */
  keepCustomer(orgId: string, customerId: string): Promise<string>;
  /** Numbers a question to the provider before it is asked. */
  ask(orgId: string): Promise<{ readonly question: number; readonly customerId: string | null }>;
  /** Plan and billing record as answered, unless the answer to a later question is applied already. */
  settle(answer: SubscriptionAnswer): Promise<PlanChanged>;
}

/** A month's runs, how its overage is reckoned, and how much of that the provider was told. */
export interface OverageMonth {
  readonly used: number;
  /** The plan that governs the month; undefined: the organisation's. */
  readonly plan: PlanId | undefined;
  readonly base: number;
  readonly floor: number;
  /** Grows when a change of plan changes how the overage is reckoned. */
  readonly version: number | undefined;
  readonly reported: number;
  /** A report that is not confirmed. */
  readonly report: OverageReport | undefined;
}

export interface OverageStore {
  /** Organisations that have, or lately had, a plan with overage. */
  subscribers(): AsyncIterable<readonly string[]>;
  month(orgId: string, month: string): Promise<OverageMonth | undefined>;
  planOf(orgId: string): Promise<PlanId | undefined>;
  /** Writes the report down, and answers the one that is; undefined when the month is not as it was read. */
  intend(
    orgId: string,
    month: string,
    was: OverageMonth,
    report: OverageReport,
  ): Promise<OverageReport | undefined>;
  /** `unconfirmed`: it is given up, and never told. Without effect when the report is closed already. */
  close(orgId: string, month: string, report: OverageReport, how: 'confirmed' | 'unconfirmed'): Promise<void>;
}

export type BillingEvent =
  | 'plan_changed'
  | 'subscriptions_overlap'
  | 'payment_webhook_ignored'
  | 'payment_webhook_failed'
  | 'overage_reported'
  | 'overage_unconfirmed'
  | 'overage_report_failed'
  | 'message_unsent';

/** Records an event for the operators of the service. */
export type BillingLog = (event: BillingEvent, fields: Record<string, unknown>) => void;
