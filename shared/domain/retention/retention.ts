import { PLAN } from '../plans.ts';
import type { Principal } from '../principal.ts';
import { DAY_MS, timestamp } from '../time.ts';

type Retention = Pick<Principal, 'plan' | 'retainedFrom'>;

/** Runs created before this moment are gone. A plan with longer retention does not bring them back. */
export function retainedSince({ plan, retainedFrom }: Retention, now: number): string {
  // A run whose age is exactly the retention is gone.
  const byPlan = timestamp(now - PLAN[plan].retentionDays * DAY_MS + 1);
  return retainedFrom !== null && retainedFrom > byPlan ? retainedFrom : byPlan;
}
