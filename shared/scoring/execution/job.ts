import { configInvalid, erroredOutcome } from '../errors.ts';
import type { Subject } from '../subject.ts';
import type { Job, Outcome } from '../types.ts';
import { isRangeError, messageOf } from './guard.ts';

/** By job; outcomes are filled in as jobs finish. */
export interface Scored {
  readonly outcomes: (Outcome | undefined)[];
  readonly durationsMs: number[];
}

/** One run's jobs on their way from waiting to scored. */
export interface Batch extends Scored {
  readonly jobs: readonly Job[];
  readonly subject: Subject;
  readonly now: () => number;
  /** When the last job ended: the clock is read once a job. */
  clockMs: number;
}

export function openBatch(jobs: readonly Job[], subject: Subject, now: () => number): Batch {
  const durationsMs: number[] = new Array(jobs.length).fill(0);
  return { jobs, subject, now, clockMs: now(), outcomes: new Array(jobs.length), durationsMs };
}

/** Of characters, which take as long as bytes would. */
export function megabytesOf({ subject }: Batch): number {
  return subject.text.length / 1_000_000;
}

/** The outcome is stored whole or, when an interrupt strikes, not at all. */
export function scoreJob(batch: Batch, at: number): void {
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
