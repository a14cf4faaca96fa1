import { createHash } from 'node:crypto';
import type { Credential } from '../../contracts/base/credentials.ts';

/** Events that no verdict causes. GitHub keeps the event of a job that a person runs again, and counts its attempts. */
const EVENTS: readonly unknown[] = ['push', 'merge_group', 'schedule'];

interface JudgedRun {
  readonly createdBy: Credential;
  readonly triggerMeta: Readonly<Record<string, unknown>>;
  /** Both null where nothing was left to judge, or to judge by. */
  readonly suiteDigest: string | null;
  readonly outputsDigest: string | null;
  /** The token of the current baseline: relative gates depend on it, and no digest holds it. */
  readonly baseline: string | null;
}

/** What a run is as one of two runs of its commit. */
export interface Repetition {
  /** Of the bar. */
  readonly suiteDigest: string;
  /** 8 digits over bar, baseline, and the job that gates: runs of one commit with the same ones are comparable. */
  readonly gate: string;
  readonly workflowRunId: string;
  /** A clock began it, whatever an earlier run said. */
  readonly isScheduled: boolean;
  /** 16 digits. */
  readonly outputs: string;
}

/** Undefined for a run that is no repetition and has none: of an API key, of another event, of a job that ran again. */
export function repetitionOf(run: JudgedRun): Repetition | undefined {
  const { createdBy, triggerMeta, suiteDigest, outputsDigest, baseline } = run;
  if (createdBy.type !== 'github_actions' || suiteDigest === null || outputsDigest === null) return undefined;
  const { event_name, run_attempt, repository_id, workflow, run_id } = createdBy;
  if (run_attempt !== '1' || !EVENTS.includes(event_name)) return undefined;
  const { job = null, leg = null } = triggerMeta;
  const gate = JSON.stringify([suiteDigest, baseline, repository_id, workflow, job, leg]);
  return {
    suiteDigest,
    gate: createHash('sha256').update(gate).digest('hex').slice(0, 8),
    workflowRunId: run_id,
    isScheduled: event_name === 'schedule',
    outputs: outputsDigest.replace('sha256:', '').slice(0, 16),
  };
}
