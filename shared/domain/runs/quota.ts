import { LRUCache } from 'lru-cache';
import type { PlanId } from '../../contracts/auth.ts';
import { AppError } from '../errors.ts';
import { PLAN } from '../plans.ts';
import { monthOf, timestamp } from '../time.ts';
import type { Quota, UsageStore } from './ports.ts';

export function quotaOf(plan: PlanId): Quota | undefined {
  const { overage, monthlyRuns } = PLAN[plan];
  return overage === 'blocked' ? { plan, monthlyRuns } : undefined;
}

function monthAfter(at: string): string {
  const date = new Date(at);
  return timestamp(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}

/** `at` is when the run would have been created. */
export function usageExceeded({ plan, monthlyRuns }: Quota, used: number, at: string): AppError {
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

/** Runs `act` unless it is clear beforehand that it will be refused. */
export type QuotaGuard = <T>(request: Request, act: () => Promise<T>) => Promise<T>;

const KNOWN_MAX = 10_000;

/**
 * Spares the work of scoring and storing for organisations that were refused before. Whether a run is refused is
 * never decided from memory: usage may have been given back, and what counts is the transaction that stores the run.
 */
export function createQuotaGuard(usage: UsageStore): QuotaGuard {
  /** The month in which an organisation was refused last. */
  const exhausted = new LRUCache<string, string>({ max: KNOWN_MAX });

  async function refuseExhausted(orgId: string, quota: Quota, at: string): Promise<void> {
    if (exhausted.get(orgId) !== monthOf(at)) return;
    const used = await usage.used(orgId, monthOf(at));
    if (used >= quota.monthlyRuns) throw usageExceeded(quota, used, at);
    exhausted.delete(orgId);
  }

  return async ({ orgId, quota, startedAtMs }, act) => {
    if (quota === undefined) return act();
    const at = timestamp(startedAtMs);
    await refuseExhausted(orgId, quota, at);
    return act().catch((error: unknown) => {
      if (isUsageExceeded(error)) exhausted.set(orgId, monthOf(at));
      throw error;
    });
  };
}

const isUsageExceeded = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'USAGE_LIMIT_EXCEEDED';
