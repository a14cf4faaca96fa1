import type { PlanId } from '../../contracts/auth.ts';
import type { WorkQueue } from '../messages.ts';
import { PLAN } from '../plans.ts';
import type { BillingLog, BillingStore, Payments, Subscription } from './ports.ts';

export interface SettleDeps {
  readonly billing: BillingStore;
  readonly queue: WorkQueue;
  readonly record: BillingLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Paid, on trial, or late with a payment that the provider still tries to collect. */
const GIVES_ITS_PLAN = new Set(['active', 'trialing', 'past_due']);
/** The customer can resume these in the portal. */
const UNENDED = new Set([...GIVES_ITS_PLAN, 'unpaid', 'paused']);

const newestOf = (subscriptions: readonly Subscription[]): Subscription | undefined =>
  subscriptions.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))[0];

export const givesItsPlan = ({ status }: Pick<Subscription, 'status'>): boolean => GIVES_ITS_PLAN.has(status);
export const isUnended = ({ status }: Pick<Subscription, 'status'>): boolean => UNENDED.has(status);

/** The subscription that counts, with its plan: the newest one that is paid or on trial. Free without such a one. */
function standingOf(subscriptions: readonly Subscription[]): {
  readonly subscription: Subscription | null;
  readonly plan: PlanId;
  readonly overlapping: readonly string[];
} {
  const live = subscriptions.filter(givesItsPlan);
  const governing = newestOf(live.filter(({ plan }) => plan !== undefined));
  const stranger = live.find(({ plan }) => plan === undefined);
  if (governing === undefined && stranger !== undefined) {
    // A paid subscription with an unknown price leaves the plan as it is.
    throw new Error(`Subscription ${stranger.id} has no price that is configured: see STRIPE_PRICE_*`);
  }
  const unended = subscriptions.filter(isUnended);
  return {
    subscription: governing ?? newestOf(unended) ?? newestOf(subscriptions) ?? null,
    plan: governing?.plan ?? 'free',
    overlapping: live.length > 1 ? live.map(({ id }) => id) : [],
  };
}

/** Enterprise is set by hand: no subscription changes it. */
const planAfter =
  (bySubscription: PlanId) =>
  (current: PlanId): PlanId =>
    current === 'enterprise' ? current : bySubscription;

/** Sets the plan to the provider's present answer. Of concurrent calls, the last question's answer wins. */
export async function settleSubscription(
  { billing, queue, record, now }: SettleDeps,
  payments: Payments,
  orgId: string,
): Promise<Subscription | null> {
  const { question, customerId } = await billing.ask(orgId);
  if (customerId === null) return null;
  const subscriptions = await payments.subscriptionsOf(customerId);
  const { subscription, plan, overlapping } = standingOf(subscriptions ?? []);
  if (overlapping.length > 0) record('subscriptions_overlap', { org_id: orgId, subscriptions: overlapping });
  const settled = await billing.settle({
    orgId,
    question,
    subscription,
    plan: planAfter(plan),
    customerGone: subscriptions === undefined,
    atMs: now(),
  });
  if (settled.outcome === 'changed') {
    const { from, to } = settled;
    record('plan_changed', { org_id: orgId, from, to, subscription: subscription?.id });
    if (PLAN[to].retentionDays > PLAN[from].retentionDays) await extendRetention({ queue, record }, orgId);
  }
  return subscription;
}

/** Asks for stored runs to be kept longer. If the message can't be sent, the scheduled function sends it. */
async function extendRetention({ queue, record }: Pick<SettleDeps, 'queue' | 'record'>, org_id: string) {
  await queue
    .send([{ kind: 'extend_retention', org_id }])
    .catch((error: unknown) => record('message_unsent', { org_id, error: String(error) }));
}
