import { processorMs } from './guard.ts';

/** What customer code may take of one run, hostile scorers included; as all here, of the processor's time. */
const RUN_BUDGET_MS = 1_500;
/** Honest scorers take time too, most of all those that are compiled for the first time. */
const RUN_BUDGET_PER_JOB_MS = 1;
const RUN_BUDGET_MS_MAX = 4_000;
/**
 * Beyond its budget a run goes on with the scorers that are not done, until this has passed. A function of 512 MB takes
 * 21 s to work so long, and a caller waits for 29 s at most.
 */
export const RUN_TIME_MS_MAX = 6_000;

export interface Budget {
  leftMs(): number;
  /** Until all ends. */
  leftAtMostMs(): number;
}

export function openBudget(jobCount: number): Budget {
  const budgetMs = Math.min(RUN_BUDGET_MS_MAX, RUN_BUDGET_MS + RUN_BUDGET_PER_JOB_MS * jobCount);
  const startMs = processorMs();
  const usedMs = () => processorMs() - startMs;
  return { leftMs: () => budgetMs - usedMs(), leftAtMostMs: () => RUN_TIME_MS_MAX - usedMs() };
}
