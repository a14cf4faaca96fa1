import type { PlanId } from '../../contracts/auth.ts';
import type { PaidPlanId } from '../../contracts/billing.ts';
import type { Page } from '../shards/ports.ts';

export interface Subscription {
  readonly id: string;
  /** The provider's own word, such as `active` or `past_due`. */
  readonly status: string;
  /** The plan of its price. Undefined when the price is not configured. */
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

/** A report of overage to the provider. Its id makes it the same event, however often it is sent. */
export interface OverageReport {
  /** `<organisation>:<month>:<from>-<to>` */
  readonly id: string;
  readonly customerId: string;
  /** The month's overage that was reported before this report, and with it. */
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

/** The payment provider. Every failure is PAYMENT_PROVIDER_UNAVAILABLE. */
export interface Payments {
  createCustomer(orgId: string): Promise<string>;
  closeCheckouts(customerId: string): Promise<void>;
  /** Returns the address of the page. Of several pages that are created at once, only one can be paid. */
  createCheckout(checkout: Checkout): Promise<string>;
  /** Gives the subscription the prices of the plan. Repeating it changes nothing. */
  changePlan(subscriptionId: string, plan: PaidPlanId): Promise<void>;
  /** At once, with an invoice for what was used. */
  endSubscription(subscriptionId: string): Promise<void>;
  createPortal(customerId: string): Promise<string>;
  /** All subscriptions, ended ones too. Undefined when the customer was deleted. */
  subscriptionsOf(customerId: string): Promise<readonly Subscription[] | undefined>;
  /** Succeeds if the provider has the report already. */
  reportOverage(report: OverageReport): Promise<void>;
  /** The customer of an event; null if it concerns no subscription. Undefined without a valid, recent signature. */
  customerOfEvent(delivery: WebhookDelivery): { readonly customerId: string | null } | undefined;
}

interface BillingRecord {
  readonly customerId: string | null;
}

/** The provider's answer to a numbered question. */
export interface SubscriptionAnswer {
  readonly orgId: string;
  readonly question: number;
  readonly subscription: Subscription | null;
  readonly plan: (current: PlanId) => PlanId;
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
  /** Returns the organisation's customer: the first one stored. */
  keepCustomer(orgId: string, customerId: string): Promise<string>;
  /** Gives the next number to a question to the provider, before it is asked. */
  ask(orgId: string): Promise<{ readonly question: number; readonly customerId: string | null }>;
  /** Applies the answer to plan and billing record, unless the answer to a later question is applied already. */
  settle(answer: SubscriptionAnswer): Promise<PlanChanged>;
}

/** Runs of a month. Slug and name are null without a project, and once everything of a deleted one is dropped. */
export interface ProjectRuns {
  /** Null: counted without a project. */
  readonly id: string | null;
  readonly slug: string | null;
  readonly name: string | null;
  readonly isDeleted: boolean;
  readonly runs: number;
}

export interface ProjectUsageStore {
  /** Projects with runs, the most first. The sum is the usage of the organisation. */
  byProject(orgId: string, month: string): Promise<readonly ProjectRuns[]>;
}

export interface OverageMonth {
  readonly overage: number;
  readonly reported: number;
  readonly report: OverageReport | undefined;
}

export interface OverageStore {
  /** Organisations of a shard that have, or lately had, a plan with overage. */
  subscribers(
    shard: number,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<Page<string>>;
  month(orgId: string, month: string): Promise<OverageMonth>;
  /** Returns the stored report, which may be another's. Undefined when more was reported since. */
  intend(orgId: string, month: string, report: OverageReport): Promise<OverageReport | undefined>;
  /** `unconfirmed`: the report is given up. Without effect when the report is closed already. */
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

export type BillingLog = (event: BillingEvent, fields: Record<string, unknown>) => void;
