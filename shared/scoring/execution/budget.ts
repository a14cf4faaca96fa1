import type { Processor } from '../kit/guard.ts';
import type { SharedTime } from '../kit/types.ts';

/** The processor time of customer code in one run, hostile scorers included. All times here are processor time. */
const RUN_BUDGET_MS = 1_500;
/** Ordinary scorers take time too, above all when they are compiled for the first time. */
const RUN_BUDGET_PER_JOB_MS = 1;
const RUN_BUDGET_MS_MAX = 4_000;
/** Beyond the budget. A function of 512 MB takes 21 s for it, and a caller waits at most 29 s. */
export const RUN_TIME_MS_MAX = 6_000;

export interface Budget {
  leftMs(): number;
  /** Until `RUN_TIME_MS_MAX`, or the time that is shared. */
  leftAtMostMs(): number;
}

export function openBudget(
  jobCount: number,
  processor: Processor,
  { startMs, mostMs }: SharedTime = { startMs: processor.ms(), mostMs: RUN_TIME_MS_MAX },
): Budget {
  const budgetMs = Math.min(RUN_BUDGET_MS_MAX, mostMs, RUN_BUDGET_MS + RUN_BUDGET_PER_JOB_MS * jobCount);
  const usedMs = () => processor.ms() - startMs;
  return { leftMs: () => budgetMs - usedMs(), leftAtMostMs: () => mostMs - usedMs() };
}
