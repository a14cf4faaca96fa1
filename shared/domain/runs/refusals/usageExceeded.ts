import { AppError } from '../../errors.ts';
import { PLAN, type PlanInForce } from '../../plans.ts';
import { timestamp } from '../../time.ts';

function monthAfter(time: string): string {
  const date = new Date(time);
  return timestamp(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}

export function usageExceeded({ id: plan }: PlanInForce, used: number, refusedAt: string): AppError {
  const { name, monthlyRuns } = PLAN[plan];
  const resets_at = monthAfter(refusedAt);
  return new AppError(
    'USAGE_LIMIT_EXCEEDED',
    `All ${monthlyRuns} runs of this month on the ${name} plan are used. The next month begins at ` +
      `${resets_at}; to run gates before then, upgrade with POST /v1/billing/checkout or, where no payments are taken, ask the operator.`,
    { plan, monthly_limit: monthlyRuns, current_usage: used, resets_at },
  );
}
