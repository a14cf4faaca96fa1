import { configInvalid, erroredOutcome } from './errors.ts';
import { finishesWithin, isRangeError, messageOf, processorMs } from './guard.ts';
import type { Subject } from './subject.ts';
import type { CompiledScorer, Job, Outcome } from './types.ts';

/** What customer code may take of one run, hostile scorers included; as all here, of the processor's time. */
const RUN_BUDGET_MS = 1_500;
/** Honest scorers take time too, most of all those that are compiled for the first time. */
const RUN_BUDGET_PER_JOB_MS = 1;
/** A function of 512 MB takes 14 s to work so long, and a caller waits for 29 s at most. */
const RUN_BUDGET_MAX_MS = 4_000;
/** Of it, what is kept for the jobs that were put aside, to run alone. */
const ALONE_BUDGET_MS = 750;
const BATCH_BASE_MS = 50;
/** Once a deadline struck: who is put aside by mistake is scored again, and the others wait less. */
const BATCH_RESUMED_BASE_MS = 10;
const MIN_RESUMED_MS = 2;
const BATCH_PER_JOB_MS = 0.05;
const BATCH_PER_MEGABYTE_MS = 50;

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
 * its neighbours' time; those put aside then run one by one, each with a limit of its own: the scorer's, or an
 * equal share of what is left of the budget where that is less.
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
  while (next < guarded.length && togetherLeftMs(budget) > 0) {
    batch.clockMs = batch.now();
    const neededMs = workMs(guarded.length - next, batch.subject.text.length);
    const limitMs =
      struck.size === 0 ? BATCH_BASE_MS + neededMs : resumedMs(neededMs, togetherLeftMs(budget));
    const resume = () => {
      for (; next < guarded.length; next++) {
        const at = guarded[next] ?? -1;
        if (struck.has(batch.jobs[at]?.compiled ?? null)) aside.push(at);
        else scoreJob(batch, at);
      }
    };
    // Starved, it goes on with the job that was interrupted.
    const beginAnew = () => batch.jobs[guarded[next] ?? -1]?.compiled?.reset();
    const finished = finishesWithin(budget.allowedMs(limitMs), resume, beginAnew);
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

function togetherLeftMs(budget: Budget): number {
  return budget.leftMs() - ALONE_BUDGET_MS;
}

/** Shrinks as strikes add up, so that a hundred hostile scorers leave time for the jobs behind them. */
function resumedMs(neededMs: number, leftMs: number): number {
  return Math.min(BATCH_RESUMED_BASE_MS + neededMs, Math.max(MIN_RESUMED_MS, leftMs / 16));
}

function scoreEachAlone(batch: Batch, unfinished: readonly number[], budget: Budget): void {
  const waiting = waitingJobs(batch, unfinished);
  for (const at of unfinished) {
    const compiled = batch.jobs[at]?.compiled;
    if (!compiled?.guard) continue;
    const jobsLeft = waiting.get(compiled) ?? 0;
    const finished = jobsLeft > 0 && scoreAlone(batch, at, budget, budget.leftMs() / waiting.size);
    if (finished && jobsLeft > 1) waiting.set(compiled, jobsLeft - 1);
    // What it does to this output does not depend on the case: its other jobs would end the same way.
    else waiting.delete(compiled);
    if (!finished) batch.outcomes[at] ??= erroredOutcome(compiled.guard.timeoutCode);
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

/** False when the job was interrupted or could not be started any more. */
function scoreAlone(batch: Batch, at: number, budget: Budget, shareMs: number): boolean {
  const compiled = batch.jobs[at]?.compiled;
  if (!compiled?.guard || shareMs <= 0) return false;
  const { guard } = compiled;
  batch.clockMs = batch.now();
  const limitMs = budget.allowedMs(Math.min(guard.limitMs, shareMs));
  const finished = finishesWithin(limitMs, () => scoreJob(batch, at), compiled.reset);
  if (!finished) compiled.reset();
  return finished;
}

/** What honest work of this size may take. */
function workMs(jobCount: number, outputLength: number): number {
  return BATCH_PER_JOB_MS * jobCount + (BATCH_PER_MEGABYTE_MS * outputLength) / 1_000_000;
}

interface Budget {
  leftMs(): number;
  /** No more than is left. */
  allowedMs(limitMs: number): number;
}

function openBudget(jobCount: number): Budget {
  const budgetMs = Math.min(RUN_BUDGET_MAX_MS, RUN_BUDGET_MS + RUN_BUDGET_PER_JOB_MS * jobCount);
  const startMs = processorMs();
  const leftMs = () => budgetMs - (processorMs() - startMs);
  return { leftMs, allowedMs: (limitMs) => Math.max(1, Math.min(limitMs, leftMs())) };
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
