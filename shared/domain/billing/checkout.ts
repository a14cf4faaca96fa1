import type { PaidPlanId } from '../../contracts/billing.ts';
import { organisationOf } from '../access.ts';
import { invalidField } from '../errors.ts';
import { PLAN } from '../plans.ts';
import type { Principal } from '../ports.ts';
import { configured } from './errors.ts';
import type { BillingRecord, BillingStore, Payments } from './ports.ts';
import { isUnended, type SettleDeps, settleSubscription } from './settle.ts';

export interface BillingDeps extends SettleDeps {
  /** Undefined where the deployment takes no payments. */
  readonly payments: Payments | undefined;
}

interface CheckoutRequest {
  readonly plan: PaidPlanId;
  readonly success_url: string;
  readonly cancel_url: string;
}

const USE_PORTAL = 'change or end it in the customer portal: POST /v1/billing/portal';

/** The page where the organisation buys a plan. One that has a subscription changes that instead of buying another. */
export async function startCheckout(
  deps: BillingDeps,
  principal: Principal,
  { plan, success_url, cancel_url }: CheckoutRequest,
): Promise<string> {
  const orgId = organisationOf(principal, 'organisation');
  const payments = configured(deps.payments);
  if (principal.plan === 'enterprise') {
    throw invalidField('plan', 'the organisation is on the Enterprise plan: ask your contact to change it');
  }
  const record = await deps.billing.find(orgId);
  if (record?.customerId && isUnended(await settleSubscription(deps, payments, orgId))) {
    throw invalidField('plan', `the organisation has a subscription already: ${USE_PORTAL}`);
  }
  if (principal.plan === plan && !record?.customerId) {
    throw invalidField('plan', `the organisation is on the ${PLAN[plan].name} plan already`);
  }
  const customerId = await customerOf(deps, payments, orgId);
  return payments.createCheckout({
    orgId,
    customerId,
    plan,
    successUrl: success_url,
    cancelUrl: cancel_url,
  });
}

/** One customer an organisation: the provider answers the same one to the same key, and the first one kept stays. */
async function customerOf({ billing }: BillingDeps, payments: Payments, orgId: string): Promise<string> {
  const record = await billing.find(orgId);
  return record?.customerId ?? (await newCustomer(billing, payments, orgId, record));
}

async function newCustomer(
  billing: BillingStore,
  payments: Payments,
  orgId: string,
  record: BillingRecord | undefined,
): Promise<string> {
  const created = await payments.createCustomer(orgId, `customer:${orgId}:${record?.customers ?? 0}`);
  return billing.keepCustomer(orgId, created);
}

/** The page where the organisation manages subscription, invoices and payment methods. */
export async function openPortal(
  { billing, payments }: Pick<BillingDeps, 'billing' | 'payments'>,
  principal: Principal,
): Promise<string> {
  const orgId = organisationOf(principal, 'organisation');
  const provider = configured(payments);
  const record = await billing.find(orgId);
  if (!record?.customerId) {
    throw invalidField(
      'organisation',
      'has nothing to manage yet: buy a plan first, POST /v1/billing/checkout',
    );
  }
  return provider.createPortal(record.customerId);
}
