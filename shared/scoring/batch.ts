import { configInvalid, erroredOutcome } from './errors.ts';
import { finishesWithin, isRangeError, messageOf, processorMs } from './guard.ts';
import type { Subject } from './subject.ts';
import type { CompiledScorer, Job, Outcome } from './types.ts';

/** What customer code may take of one run, hostile scorers included; as all here, of the processor's time. */
const RUN_BUDGET_MS = 1_500;
/** Honest scorers take time too, most of all those that are compiled for the first time. */
const RUN_BUDGET_PER_JOB_MS = 1;
const RUN_BUDGET_MAX_MS = 4_000;
/**
 * Beyond its budget a run goes on until each scorer had a fair time to itself, or this has passed. A function of 512 MB
 * takes 21 s to work so long, and a caller waits for 29 s at most.
 */
export const RUN_TIME_MAX_MS = 6_000;
/** Of it, what is kept for the jobs that were put aside, to run alone. */
const ALONE_BUDGET_MS = 750;
const BATCH_BASE_MS = 50;
/** Once a deadline struck: who is put aside by mistake is scored again, and the others wait less. */
const BATCH_RESUMED_BASE_MS = 10;
const MIN_RESUMED_MS = 2;
const BATCH_PER_JOB_MS = 0.05;
const BATCH_PER_MEGABYTE_MS = 50;
const BATCH_PER_JOB_AND_MEGABYTE_MS = 2;
/** Of what is left, what a struck scorer can take from its neighbours at once. */
const BATCH_SHARE = 1 / 8;
const BATCH_RESUMED_SHARE = 1 / 16;
/** A scorer that did not end in so long a time of its own is at fault; if it had less, the run has too many of them. */
const FAIR_MS = 5;
const FAIR_PER_MEGABYTE_MS = 40;

/** By job; outcomes are filled in as jobs finish. */
export interface Scored {
  readonly outcomes: (Outcome | undefined)[];
  readonly durationsMs: number[];
}

/** One run's jobs on their way from waiting to scored. */
interface Batch extends Scored {
  readonly jobs: readonly Job[];
  readonly subject: Subject;
  readonly now: () => number;
  /** When the last job ended: the clock is read once a job. */
  clockMs: number;
}

/**
 * Scores all jobs of a run. Guarded jobs run together under one deadline, since a deadline costs more than a
 * score. When it strikes, the job it struck is put aside and the others go on, so a hostile scorer cannot take
 * its neighbours' time; those put aside then run one by one, each with a limit of its own: the scorer's, or where
 * that is less, an equal share of what is left of the budget, but no less than is fair.
 */
export function scoreJobs(jobs: readonly Job[], subject: Subject, now: () => number): Scored {
  const batch: Batch = {
    jobs,
    subject,
    now,
    clockMs: now(),
    outcomes: new Array(jobs.length),
    durationsMs: new Array(jobs.length).fill(0),
  };
  const guarded: number[] = [];
  for (const [at, job] of jobs.entries()) {
    if (job.compiled === null) batch.outcomes[at] = job.fixed ?? configInvalid('it has no scorer');
    else if (job.compiled.guard === null) scoreJob(batch, at);
    else guarded.push(at);
  }
  if (guarded.length > 0) {
    const budget = openBudget(guarded.length);
    const unfinished = scoreTogether(batch, guarded, budget);
    scoreEachAlone(batch, unfinished, budget);
  }
  return batch;
}

/** Answers which jobs are left: those of scorers that were struck, and those that the budget did not reach. */
function scoreTogether(batch: Batch, guarded: readonly number[], budget: Budget): number[] {
  const struck = new Set<CompiledScorer | null>();
  const aside: number[] = [];
  let next = 0;
  while (next < guarded.length) {
    const leftMs = budget.leftMs() - ALONE_BUDGET_MS;
    if (leftMs <= 0) break;
    batch.clockMs = batch.now();
    const neededMs = workMs(guarded.length - next, megabytesOf(batch));
    const limitMs = struck.size === 0 ? firstMs(neededMs, leftMs) : resumedMs(neededMs, leftMs);
    const resume = () => {
      for (; next < guarded.length; next++) {
        const at = guarded[next] ?? -1;
        if (struck.has(batch.jobs[at]?.compiled ?? null)) aside.push(at);
        else scoreJob(batch, at);
      }
    };
    // Starved, it goes on with the job that was interrupted.
    const beginAnew = () => batch.jobs[guarded[next] ?? -1]?.compiled?.reset();
    const finished = finishesWithin(Math.min(limitMs, leftMs + ALONE_BUDGET_MS), resume, beginAnew);
    const at = guarded[next];
    if (finished || at === undefined) break;
    const compiled = batch.jobs[at]?.compiled ?? null;
    compiled?.reset();
    struck.add(compiled);
    next++;
    if (batch.outcomes[at] === undefined && aside.at(-1) !== at) aside.push(at);
  }
  return [...aside, ...guarded.slice(next)];
}

function firstMs(neededMs: number, leftMs: number): number {
  return BATCH_BASE_MS + Math.min(neededMs, Math.max(BATCH_BASE_MS, leftMs * BATCH_SHARE));
}

/** Shrinks as strikes add up, so that a hundred hostile scorers leave time for the jobs behind them. */
function resumedMs(neededMs: number, leftMs: number): number {
  return Math.min(BATCH_RESUMED_BASE_MS + neededMs, Math.max(MIN_RESUMED_MS, leftMs * BATCH_RESUMED_SHARE));
}

function scoreEachAlone(batch: Batch, unfinished: readonly number[], budget: Budget): void {
  const waiting = waitingJobs(batch, unfinished);
  const failed = new Map<CompiledScorer, Outcome>();
  for (const at of unfinished) {
    const compiled = batch.jobs[at]?.compiled;
    if (!compiled?.guard) continue;
    const jobsLeft = waiting.get(compiled) ?? 0;
    const failure = failed.get(compiled) ?? scoreAlone(batch, at, budget, budget.leftMs() / waiting.size);
    if (failure === null && jobsLeft > 1) waiting.set(compiled, jobsLeft - 1);
    else waiting.delete(compiled);
    if (failure === null) continue;
    // What it does to this output does not depend on the case: its other jobs would end the same way.
    failed.set(compiled, failure);
    batch.outcomes[at] ??= failure;
  }
}

/** How many jobs each scorer waits for. */
function waitingJobs(batch: Batch, unfinished: readonly number[]): Map<CompiledScorer, number> {
  const waiting = new Map<CompiledScorer, number>();
  for (const at of unfinished) {
    const compiled = batch.jobs[at]?.compiled;
    if (compiled) waiting.set(compiled, (waiting.get(compiled) ?? 0) + 1);
  }
  return waiting;
}

/** Null when it was scored; else, what the job ends with that was interrupted or could not be started any more. */
function scoreAlone(batch: Batch, at: number, budget: Budget, shareMs: number): Outcome | null {
  const compiled = batch.jobs[at]?.compiled;
  const leftMs = budget.leftAtMostMs();
  if (!compiled?.guard || leftMs <= 0) return erroredOutcome('RUN_TIMEOUT');
  const { guard } = compiled;
  const fairMs = Math.min(guard.limitMs, FAIR_MS + FAIR_PER_MEGABYTE_MS * megabytesOf(batch));
  const limitMs = Math.min(guard.limitMs, Math.max(fairMs, shareMs), leftMs);
  batch.clockMs = batch.now();
  const finished = finishesWithin(limitMs, () => scoreJob(batch, at), compiled.reset);
  if (finished) return null;
  compiled.reset();
  return erroredOutcome(limitMs < fairMs ? 'RUN_TIMEOUT' : guard.timeoutCode);
}

/** Of characters, which take as long as bytes would. */
function megabytesOf({ subject }: Batch): number {
  return subject.text.length / 1_000_000;
}

/** What honest work of this size may take. */
function workMs(jobCount: number, megabytes: number): number {
  const onOutputMs = BATCH_PER_MEGABYTE_MS + BATCH_PER_JOB_AND_MEGABYTE_MS * jobCount;
  return BATCH_PER_JOB_MS * jobCount + onOutputMs * megabytes;
}

interface Budget {
  leftMs(): number;
  /** Until all ends. */
  leftAtMostMs(): number;
}

function openBudget(jobCount: number): Budget {
  const budgetMs = Math.min(RUN_BUDGET_MAX_MS, RUN_BUDGET_MS + RUN_BUDGET_PER_JOB_MS * jobCount);
  const startMs = processorMs();
  const usedMs = () => processorMs() - startMs;
  return { leftMs: () => budgetMs - usedMs(), leftAtMostMs: () => RUN_TIME_MAX_MS - usedMs() };
}

/** The outcome is stored whole or, when an interrupt strikes, not at all. */
function scoreJob(batch: Batch, at: number): void {
  const job = batch.jobs[at];
  if (!job?.compiled) return;
  let outcome: Outcome;
  try {
    outcome = job.compiled.score(batch.subject, job.expected);
  } catch (error) {
    outcome = isRangeError(error) ? erroredOutcome('SCHEMA_RECURSION') : configInvalid(messageOf(error));
  }
  const endMs = batch.now();
  batch.durationsMs[at] = Math.max(0, Math.round(endMs - batch.clockMs));
  batch.clockMs = endMs;
  batch.outcomes[at] = outcome;
}
