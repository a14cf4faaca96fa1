import type { PaidPlanId } from '../../contracts/billing.ts';
import { organisationOf } from '../access.ts';
import { invalidField } from '../errors.ts';
import { PLAN } from '../plans.ts';
import type { Principal } from '../principal.ts';
import { type BaseUrl, resultPage } from './checkoutResults.ts';
import { configured } from './errors.ts';
import type { OverageStore, Payments } from './ports.ts';
import { isUnended, type SettleDeps, settleSubscription } from './settle.ts';
import { switchPlan } from './switchPlan.ts';

export interface BillingDeps extends SettleDeps {
  /** Undefined where the deployment takes no payments. */
  readonly payments: Payments | undefined;
}

export interface CheckoutDeps extends BillingDeps {
  readonly overage: OverageStore;
  readonly baseUrl: BaseUrl;
}

interface CheckoutRequest {
  readonly plan: PaidPlanId;
  readonly success_url?: string | undefined;
  readonly cancel_url?: string | undefined;
}

/** The page to buy a plan; the success page when there is a subscription, which is changed at once. */
export async function startCheckout(
  deps: CheckoutDeps,
  principal: Principal,
  { plan, ...given }: CheckoutRequest,
): Promise<string> {
  const orgId = organisationOf(principal, 'organisation');
  const payments = configured(deps.payments);
  if (principal.plan === 'enterprise') {
    throw invalidField('plan', 'the organisation is on the Enterprise plan: ask your contact to change it');
  }
  const successUrl = given.success_url ?? resultPage(deps.baseUrl, 'success');
  const cancelUrl = given.cancel_url ?? resultPage(deps.baseUrl, 'cancelled');
  const known = (await deps.billing.find(orgId))?.customerId ?? null;
  if (known !== null) {
    // Closed before the provider is asked, so that no page can be paid afterwards: no organisation pays for two
    // subscriptions.
    await payments.closeCheckouts(known);
    const subscription = await settleSubscription(deps, payments, orgId);
    if (subscription !== null && isUnended(subscription)) {
      await switchPlan({ ...deps, payments }, orgId, subscription, plan);
      // No checkout session exists here; the subscription's id takes its place.
      return successUrl.replaceAll('{CHECKOUT_SESSION_ID}', subscription.id);
    }
  } else if (principal.plan === plan) {
    throw invalidField('plan', `the organisation is on the ${PLAN[plan].name} plan already`);
  }
  const customerId = await customerOf(deps, payments, orgId);
  return payments.createCheckout({ orgId, customerId, plan, successUrl, cancelUrl });
}

/** The organisation's one customer, the first stored. Another created at the same moment is never used. */
async function customerOf(
  { billing }: Pick<BillingDeps, 'billing'>,
  payments: Payments,
  orgId: string,
): Promise<string> {
  const known = (await billing.find(orgId))?.customerId;
  return known ?? billing.keepCustomer(orgId, await payments.createCustomer(orgId));
}

export async function openPortal(
  deps: Pick<BillingDeps, 'billing' | 'payments'>,
  principal: Principal,
): Promise<string> {
  const orgId = organisationOf(principal, 'organisation');
  const payments = configured(deps.payments);
  return payments.createPortal(await customerOf(deps, payments, orgId));
}
