import { createHash } from 'node:crypto';
import type { Credential } from '../../contracts/base/credentials.ts';
import type { Gates } from '../../contracts/gates.ts';
import { comparesRuns } from '../../scoring/verdict/gates/comparesRuns.ts';

/** Events that no verdict causes. GitHub keeps the event of a job that a person runs again, and counts its attempts. */
const EVENTS: readonly unknown[] = ['push', 'merge_group', 'schedule'];

interface JudgedRun {
  readonly createdBy: Credential;
  readonly triggerMeta: Readonly<Record<string, unknown>>;
  readonly verdict: {
    /** Both null where nothing was left to judge, or to judge by. */
    readonly suite_digest: string | null;
    readonly outputs_digest: string | null;
    readonly advisory_cases: number;
  };
  /** No digest holds how many advisories have ended, and the baseline that relative gates depend on. */
  readonly suiteRevision: {
    readonly baseline: string | null;
    readonly settings: { readonly gates: Gates };
  };
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
  const { createdBy, triggerMeta, verdict, suiteRevision } = run;
  const { suite_digest: suiteDigest, outputs_digest: outputsDigest } = verdict;
  if (createdBy.type !== 'github_actions' || suiteDigest === null || outputsDigest === null) return undefined;
  const { event_name, run_attempt, repository_id, workflow, run_id } = createdBy;
  if (run_attempt !== '1' || !EVENTS.includes(event_name)) return undefined;
  const { job = null, leg = null } = triggerMeta;
  const baseline = comparesRuns(suiteRevision.settings.gates) ? suiteRevision.baseline : null;
  const bar = [suiteDigest, verdict.advisory_cases, baseline];
  const gate = JSON.stringify([...bar, repository_id, workflow, job, leg]);
  return {
    suiteDigest,
    gate: createHash('sha256').update(gate).digest('hex').slice(0, 8),
    workflowRunId: run_id,
    isScheduled: event_name === 'schedule',
    outputs: outputsDigest.replace('sha256:', '').slice(0, 16),
  };
}
