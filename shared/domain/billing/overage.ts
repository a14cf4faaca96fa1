import type { PlanId } from '../../contracts/auth.ts';
import { PLAN } from '../plans.ts';

/** Runs of a month that one version of the organisation's plan let in. */
export interface PlanUsage {
  readonly plan: PlanId;
  readonly planVersion: number;
  readonly used: number;
}

/** Runs of the month beyond this number cost extra. Infinite if they are blocked or free. */
function includedRuns(plan: PlanId): number {
  const { overage, monthlyRuns } = PLAN[plan];
  return typeof overage === 'object' ? monthlyRuns : Number.POSITIVE_INFINITY;
}

/**
 * The runs of a month are in the order of the versions that let them in, so that each has one place. A run is overage
 * if its place is beyond the runs that its plan includes.
 */
export function overageOf(month: readonly PlanUsage[]): number {
  let [before, overage] = [0, 0];
  for (const { plan, used } of month) {
    overage += Math.max(0, before + used - Math.max(before, includedRuns(plan)));
    before += used;
  }
  return overage;
}

export const runsOf = (month: readonly PlanUsage[]): number => month.reduce((sum, { used }) => sum + used, 0);
