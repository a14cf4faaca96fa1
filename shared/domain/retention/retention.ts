import { PLAN } from '../plans.ts';
import type { Principal } from '../principal.ts';
import { DAY_MS, timestamp } from '../time.ts';

type Retention = Pick<Principal, 'plan' | 'retainedFrom'>;

/**
 * Runs created before this moment are gone. A plan's retention moves with the clock; what left under a former plan
 * does not come back under a longer one.
 */
export function retainedSince({ plan, retainedFrom }: Retention, now: number): string {
  // Exactly as old as the plan retains is gone.
  const byPlan = timestamp(now - PLAN[plan].retentionDays * DAY_MS + 1);
  return retainedFrom !== null && retainedFrom > byPlan ? retainedFrom : byPlan;
}
