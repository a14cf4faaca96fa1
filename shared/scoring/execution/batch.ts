import type { CompiledScorer } from '../kit/definition.ts';
import { configInvalid } from '../kit/errors.ts';
import { type Processor, THIS_PROCESSOR } from '../kit/guard.ts';
import type { Subject } from '../kit/reading/subject.ts';
import type { Job, SharedTime } from '../kit/types.ts';
import { scoreEachAlone } from './alone.ts';
import { type Budget, openBudget } from './budget.ts';
import { type Batch, openBatch, type Scored, scoreJob } from './job.ts';

/** The part of a run's budget that is kept for jobs that run alone. */
const ALONE_BUDGET_MS = 750;
const BATCH_BASE_MS = 50;
/** After the first strike of the deadline. It is short: a job that is put aside by mistake is scored again alone. */
const BATCH_RESUMED_BASE_MS = 10;
const RESUMED_MS_MIN = 2;
const BATCH_PER_JOB_MS = 0.05;
const BATCH_PER_MEGABYTE_MS = 50;
const BATCH_PER_JOB_AND_MEGABYTE_MS = 2;
/** The share of the remaining time that one struck scorer can take from the others. */
const BATCH_SHARE = 1 / 8;
const BATCH_RESUMED_SHARE = 1 / 16;
/** After so many strikes, most time together is lost. The others go on alone, unless they are very many. */
const MANY_STRUCK = 8;
const ALONE_PER_JOB_MS = 0.25;
/** Of all jobs of a run that need no deadline: some milliseconds. */
const QUICK_STEPS_MAX = 2_000_000;

/**
 * Scores all jobs of a run. Those that are known to take few steps run first, and need no deadline. The others run together
 * under one, since a deadline costs more than a score. When it strikes, the job it struck is put aside and the others go on, so a hostile scorer cannot take
 * its neighbours' time; those put aside then run one by one, each with a limit of its own.
 */
export function scoreJobs(
  jobs: readonly Job[],
  now: () => number,
  processor: Processor = THIS_PROCESSOR,
  sharedTime?: SharedTime,
): Scored {
  const batch = openBatch(jobs, now, processor);
  const guarded: number[] = [];
  let steps = 0;
  for (const [index, job] of jobs.entries()) {
    if (job.compiled === null) {
      batch.outcomes[index] = job.fixed ?? configInvalid('it has no scorer');
      continue;
    }
    const ofJob = stepsMax(job.compiled, job.subject);
    if (steps + ofJob > QUICK_STEPS_MAX) guarded.push(index);
    else {
      steps += ofJob;
      scoreJob(batch, index);
    }
  }
  if (guarded.length > 0) {
    const budget = openBudget(guarded.length, processor, sharedTime);
    const unfinished = scoreTogether(batch, guarded, budget);
    scoreEachAlone(batch, unfinished, budget);
  }
  return batch;
}

function stepsMax(compiled: CompiledScorer, subject: Subject): number {
  if (compiled.guard === null) return 0;
  return compiled.stepsMax?.(subject) ?? Number.POSITIVE_INFINITY;
}

/** The jobs that are left: first those that the budget did not reach, then those of struck scorers. */
function scoreTogether(batch: Batch, guarded: readonly number[], budget: Budget): number[] {
  const struck = new Set<CompiledScorer | null>();
  const aside: number[] = [];
  let next = 0;
  while (next < guarded.length) {
    const leftMs = budget.leftMs() - ALONE_BUDGET_MS;
    if (goOnAlone(struck.size, guarded.length - next, leftMs)) break;
    batch.clockMs = batch.now();
    const neededMs = workMs(guarded.length - next, batch.megabytes);
    const limitMs = struck.size === 0 ? firstMs(neededMs, leftMs) : resumedMs(neededMs, leftMs);
    const resume = () => {
      for (; next < guarded.length; next++) {
        const index = guarded[next] ?? -1;
        if (struck.has(batch.jobs[index]?.compiled ?? null)) aside.push(index);
        else scoreJob(batch, index);
      }
    };
    // Work that got too little of the processor goes on with the interrupted job.
    const beginAnew = () => batch.jobs[guarded[next] ?? -1]?.compiled?.reset();
    const mostMs = Math.min(limitMs, leftMs + ALONE_BUDGET_MS);
    const finished = batch.processor.finishesWithin(mostMs, resume, { beginAnew });
    const index = guarded[next];
    if (finished || index === undefined) break;
    const compiled = batch.jobs[index]?.compiled ?? null;
    compiled?.reset();
    struck.add(compiled);
    next++;
    if (batch.outcomes[index] === undefined && aside.at(-1) !== index) aside.push(index);
  }
  return [...guarded.slice(next), ...aside];
}

function goOnAlone(struckCount: number, jobCount: number, leftMs: number): boolean {
  return leftMs <= 0 || (struckCount >= MANY_STRUCK && jobCount * ALONE_PER_JOB_MS < leftMs / 2);
}

function firstMs(neededMs: number, leftMs: number): number {
  return BATCH_BASE_MS + Math.min(neededMs, Math.max(BATCH_BASE_MS, leftMs * BATCH_SHARE));
}

/** Shrinks with each strike, so that a hundred hostile scorers leave time for the jobs after them. */
function resumedMs(neededMs: number, leftMs: number): number {
  return Math.min(BATCH_RESUMED_BASE_MS + neededMs, Math.max(RESUMED_MS_MIN, leftMs * BATCH_RESUMED_SHARE));
}

function workMs(jobCount: number, megabytes: number): number {
  const onOutputMs = BATCH_PER_MEGABYTE_MS + BATCH_PER_JOB_AND_MEGABYTE_MS * jobCount;
  return BATCH_PER_JOB_MS * jobCount + onOutputMs * megabytes;
}
