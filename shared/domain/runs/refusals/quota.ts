import type { PlanId } from '../../../contracts/auth.ts';
import { BoundedCache } from '../../caches/boundedCache.ts';
import { AppError } from '../../errors.ts';
import { PLAN } from '../../plans.ts';
import { monthOf, timestamp } from '../../time.ts';
import type { Quota, UsageStore } from '../ports.ts';

export function quotaOf(plan: PlanId): Quota | undefined {
  const { overage, monthlyRuns } = PLAN[plan];
  return overage === 'blocked' ? { plan, monthlyRuns } : undefined;
}

function monthAfter(at: string): string {
  const date = new Date(at);
  return timestamp(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}

function usageExceeded({ plan, monthlyRuns }: Quota, used: number, at: string): AppError {
  const resets_at = monthAfter(at);
  return new AppError(
    'USAGE_LIMIT_EXCEEDED',
    `All ${monthlyRuns} runs of this month on the ${PLAN[plan].name} plan are used. The next month begins at ` +
      `${resets_at}; to run gates before, upgrade with POST /v1/billing/checkout.`,
    { plan, monthly_limit: monthlyRuns, current_usage: used, resets_at },
  );
}

interface Request {
  readonly orgId: string;
  readonly quota: Quota | undefined;
  readonly startedAtMs: number;
}

export interface QuotaGuard {
  /** Throws the 402 for an organisation that was refused before and still has no run left. */
  refuseExhausted(request: Request): Promise<void>;
  /** The 402 for a run that the store refused: `used` of the quota, at the time it would have been created. */
  refusal(request: Request, refused: { readonly used: number; readonly at: string }): AppError;
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
    async refuseExhausted({ orgId, quota, startedAtMs }) {
      const at = timestamp(startedAtMs);
      if (quota === undefined || exhausted.get(orgId) !== monthOf(at)) return;
      const used = await usage.used(orgId, monthOf(at));
      if (used >= quota.monthlyRuns) throw usageExceeded(quota, used, at);
      exhausted.delete(orgId);
    },

    refusal({ orgId, quota, startedAtMs }, { used, at }) {
      if (quota === undefined) throw new Error('A run was refused although its plan has no quota');
      exhausted.set(orgId, monthOf(timestamp(startedAtMs)));
      return usageExceeded(quota, used, at);
    },
  };
}
