import type { Outcome } from '../kit/definition.ts';
import { configInvalid } from '../kit/errors.ts';
import { messageOf, type Processor } from '../kit/guard.ts';
import type { Job } from '../kit/types.ts';

export interface Scored {
  readonly outcomes: (Outcome | undefined)[];
  readonly durationsMs: number[];
}

export interface Batch extends Scored {
  readonly jobs: readonly Job[];
  /** The length of the longest output, in millions of characters. */
  readonly megabytes: number;
  readonly now: () => number;
  readonly processor: Processor;
  /** When the last job ended: the clock is read once a job. */
  clockMs: number;
}

export function openBatch(jobs: readonly Job[], now: () => number, processor: Processor): Batch {
  const durationsMs: number[] = new Array(jobs.length).fill(0);
  const length = jobs.reduce((longest, { subject }) => Math.max(longest, subject.text.length), 0);
  const megabytes = length / 1_000_000;
  return { jobs, megabytes, now, processor, clockMs: now(), outcomes: new Array(jobs.length), durationsMs };
}

/** The outcome is stored as a whole, or not at all if an interrupt strikes. */
export function scoreJob(batch: Batch, index: number): void {
  const job = batch.jobs[index];
  if (!job?.compiled) return;
  let outcome: Outcome;
  try {
    outcome = job.compiled.score(job.subject, job.expected);
  } catch (error) {
    outcome = configInvalid(messageOf(error));
  }
  const endMs = batch.now();
  batch.durationsMs[index] = Math.max(0, Math.round(endMs - batch.clockMs));
  batch.clockMs = endMs;
  batch.outcomes[index] = outcome;
}
