import { BoundedCache } from '../../caches/boundedCache.ts';
import { AppError } from '../../errors.ts';
import { PLAN, type PlanInForce, quotaOf } from '../../plans.ts';
import { monthOf, timestamp } from '../../time.ts';
import type { UsageStore } from '../ports.ts';

function monthAfter(at: string): string {
  const date = new Date(at);
  return timestamp(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}

function usageExceeded({ id: plan }: PlanInForce, used: number, at: string): AppError {
  const { name, monthlyRuns } = PLAN[plan];
  const resets_at = monthAfter(at);
  return new AppError(
    'USAGE_LIMIT_EXCEEDED',
    `All ${monthlyRuns} runs of this month on the ${name} plan are used. The next month begins at ` +
      `${resets_at}; to run gates before then, upgrade with POST /v1/billing/checkout.`,
    { plan, monthly_limit: monthlyRuns, current_usage: used, resets_at },
  );
}

interface Request {
  readonly orgId: string;
  readonly plan: PlanInForce;
  readonly createdAt: string;
}

export interface QuotaGuard {
  /** Throws the 402 for an organisation that was refused before and still has no run left. */
  refuseExhausted(request: Request): Promise<void>;
  /** The 402 for a run that the store refused: `used` of the quota. */
  refusal(request: Request, used: number): AppError;
}

const KNOWN_MAX = 10_000;

/**
 * Spares the work of scoring and storing for organisations that were refused before. Memory alone never refuses a
 * run: usage may have been given back, so the stored usage is read, and the transaction that stores the run decides.
 */
export function createQuotaGuard(usage: UsageStore): QuotaGuard {
  /** The month in which an organisation was refused last. */
  const exhausted = new BoundedCache<string>({ maxSize: KNOWN_MAX });

  return {
    async refuseExhausted({ orgId, plan, createdAt }) {
      const quota = quotaOf(plan.id);
      if (quota === undefined || exhausted.get(orgId) !== monthOf(createdAt)) return;
      const used = await usage.used(orgId, monthOf(createdAt));
      if (used >= quota) throw usageExceeded(plan, used, createdAt);
      exhausted.delete(orgId);
    },

    refusal({ orgId, plan, createdAt }, used) {
      exhausted.set(orgId, monthOf(createdAt));
      return usageExceeded(plan, used, createdAt);
    },
  };
}
