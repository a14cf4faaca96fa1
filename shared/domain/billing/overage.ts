import type { PlanId } from '../../contracts/auth.ts';
import { PLAN } from '../plans.ts';

/** What a month's overage is computed from, besides its runs. */
export interface OverageBook {
  readonly plan: PlanId;
  /** Overage under former plans of the month: a change of plan adds the overage so far. */
  readonly base: number;
  /** Runs of the month before the plan began. */
  readonly floor: number;
}

/** Runs of the month beyond this number cost extra. Infinite if they are blocked or free. */
export function includedRuns({ plan, floor }: Pick<OverageBook, 'plan' | 'floor'>): number {
  const { overage, monthlyRuns } = PLAN[plan];
  return typeof overage === 'object' ? Math.max(monthlyRuns, floor) : Number.POSITIVE_INFINITY;
}

export const overageOf = (book: OverageBook, used: number): number =>
  book.base + Math.max(0, used - includedRuns(book));
