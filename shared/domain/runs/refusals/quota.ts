import { BoundedCache } from '../../caches/boundedCache.ts';
import type { AppError } from '../../errors.ts';
import { type PlanInForce, quotaOf } from '../../plans.ts';
import { monthOf } from '../../time.ts';
import type { UsageStore } from '../ports.ts';

interface Request {
  readonly orgId: string;
  readonly plan: PlanInForce;
  readonly createdAt: string;
}

export interface QuotaGuard {
  /** Throws the 402 for an organisation that was refused before and still has no run left. */
  refuseExhausted(request: Request): Promise<void>;
  /** The 402 for a run that the store refused: `used` of the quota. */
  refusal(request: Request, used: number): Promise<AppError>;
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
      if (used >= quota) throw await refusalOf(plan, used, createdAt);
      exhausted.delete(orgId);
    },

    refusal({ orgId, plan, createdAt }, used) {
      exhausted.set(orgId, monthOf(createdAt));
      return refusalOf(plan, used, createdAt);
    },
  };
}

async function refusalOf(plan: PlanInForce, used: number, refusedAt: string): Promise<AppError> {
  const { usageExceeded } = await import('./usageExceeded.ts');
  return usageExceeded(plan, used, refusedAt);
}
