import type { PaidPlanId } from '../../contracts/billing.ts';
import { invalidField } from '../errors.ts';
import { PLAN } from '../plans.ts';
import type { Payments, Subscription } from './ports.ts';
import { type ReportDeps, reportOrganisation } from './reportOverage.ts';
import { givesItsPlan, type SettleDeps, settleSubscription } from './settle.ts';

type SwitchDeps = ReportDeps & SettleDeps & { readonly payments: Payments };

const IN_PORTAL = 'in the customer portal: POST /v1/billing/portal';

export async function switchPlan(
  deps: SwitchDeps,
  orgId: string,
  { id, status, plan: current }: Subscription,
  plan: PaidPlanId,
): Promise<void> {
  if (!givesItsPlan({ status })) {
    throw invalidField('plan', `the organisation's subscription is ${status}: pay or end it ${IN_PORTAL}`);
  }
  if (current === plan) {
    throw invalidField(
      'plan',
      `the organisation is on the ${PLAN[plan].name} plan already: manage its subscription ${IN_PORTAL}`,
    );
  }
  // The provider prices reported runs by the plan at the time of the report.
  await reportOrganisation(deps, orgId);
  await deps.payments.changePlan(id, plan);
  await settleSubscription(deps, deps.payments, orgId);
}
