import { configInvalid, erroredOutcome } from './errors.ts';
import { isRangeError, messageOf, runWithin } from './guard.ts';
import type { Subject } from './subject.ts';
import type { CompiledScorer, Job, Outcome } from './types.ts';

/** What customer code may take of one run, hostile scorers included. */
const RUN_BUDGET_MS = 5_000;
const BATCH_BASE_MS = 50;
/** Once a deadline struck: who is put aside by mistake is scored again, and the others wait less. */
const BATCH_RESUMED_BASE_MS = 10;
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
 * its neighbours' time; those put aside then run one by one, each with a limit of its own.
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
    const budget = openBudget(now);
    const unfinished = scoreTogether(batch, guarded, budget);
    const timedOut = new Set<CompiledScorer>();
    for (const at of unfinished) scoreAlone(batch, at, budget, timedOut);
  }
  return batch;
}

/** Answers which jobs are left: those of scorers that were struck, and those that the budget did not reach. */
function scoreTogether(batch: Batch, guarded: readonly number[], budget: Budget): number[] {
  const struck = new Set<CompiledScorer | null>();
  const aside: number[] = [];
  let next = 0;
  while (next < guarded.length && budget.leftMs() > 0) {
    batch.clockMs = batch.now();
    const baseMs = aside.length === 0 ? BATCH_BASE_MS : BATCH_RESUMED_BASE_MS;
    const finished = budget.run(baseMs + workMs(guarded.length - next, batch.subject.text.length), () => {
      for (; next < guarded.length; next++) {
        const at = guarded[next] ?? -1;
        if (struck.has(batch.jobs[at]?.compiled ?? null)) aside.push(at);
        else scoreJob(batch, at);
      }
    });
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

function scoreAlone(batch: Batch, at: number, budget: Budget, timedOut: Set<CompiledScorer>): void {
  const compiled = batch.jobs[at]?.compiled;
  if (!compiled?.guard) return;
  const mayRun = budget.leftMs() > 0 && !timedOut.has(compiled);
  batch.clockMs = batch.now();
  if (mayRun && budget.run(compiled.guard.limitMs, () => scoreJob(batch, at))) return;
  compiled.reset();
  if (batch.outcomes[at] !== undefined) return;
  // What it does to this output does not depend on the case: its other jobs would end the same way.
  if (mayRun) timedOut.add(compiled);
  batch.outcomes[at] = erroredOutcome(compiled.guard.timeoutCode);
}

/** What honest work of this size may take on a slow machine. */
function workMs(jobCount: number, outputLength: number): number {
  return BATCH_PER_JOB_MS * jobCount + (BATCH_PER_MEGABYTE_MS * outputLength) / 1_000_000;
}

interface Budget {
  leftMs(): number;
  run(limitMs: number, work: () => void): boolean;
}

function openBudget(now: () => number): Budget {
  const startMs = now();
  // Deadlines that struck count even if the caller's clock stands still.
  let struckMs = 0;
  const leftMs = () => RUN_BUDGET_MS - Math.max(struckMs, now() - startMs);
  const run = (limitMs: number, work: () => void) => {
    const allowedMs = Math.max(1, Math.min(limitMs, leftMs()));
    const finished = runWithin(allowedMs, work);
    if (!finished) struckMs += allowedMs;
    return finished;
  };
  return { leftMs, run };
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
