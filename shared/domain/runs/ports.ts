import type * as z from 'zod';
import type { PageQuery } from '../../contracts/base/common.ts';
import type { RunResult } from '../../contracts/results/results.ts';
import type { Notice, runDetailFields } from '../../contracts/runDetails.ts';
import type { Run } from '../../contracts/runs.ts';
import type { KeptVerdict } from '../../scoring/verdict/kept.ts';
import type { PlanInForce } from '../plans.ts';
import type { Page } from '../ports.ts';
import type { SuiteHead } from '../suites/stored.ts';
import type { NamedComparison } from './baseline/comparedRun.ts';
import type { AdmittedSubmission } from './outputs/submission.ts';
import type { StoredResult } from './results/storedResult.ts';

export type StoredRun = Run & {
  readonly isSingle: boolean;
  readonly waived: number | null;
  /** The name of its baseline. */
  readonly baseline: string | null;
  readonly project_id: string;
  readonly project_slug: string;
  /** Only a run that was accepted to be evaluated later has it. */
  readonly suite_slug?: string | undefined;
  /** The name of the revisions that judge it. */
  readonly revisions: string;
  /** Not of a run of the default branch: the number of the latest one of it before. */
  readonly default_run?: number | undefined;
};

export type ScoredCase = Omit<
  RunResult,
  'id' | 'run_id' | 'judge_prompt' | 'judge_rubric' | 'expected_calls'
>;

type Details = z.infer<z.ZodObject<typeof runDetailFields>>;
/** What is made of other things when a run is read. */
type Derived = 'verdict' | 'baseline_id' | 'comparison' | 'waiver';

/** What a run keeps of its verdict beside the document's figures. */
export interface VerdictRecord extends Readonly<Omit<Details, Derived | 'surplus' | 'notices'>> {
  readonly surplus: readonly string[];
  readonly notices: readonly Notice[];
  /** Every case saw the one output that was sent. */
  readonly isSingle: boolean;
  /** What it was compared with; null without a baseline. */
  readonly compared: NamedComparison | null;
  /** The number of the run whose waiver it carries. Where it was waived itself, its own. */
  readonly waived: number | null;
  /** What `verdict` is made of when the run is read; null while it is pending. */
  readonly kept: KeptVerdict | null;
}

export type NewRunFields = Omit<
  Run,
  'id' | 'suite_id' | 'created_at' | 'completed_at' | keyof z.infer<z.ZodObject<typeof runDetailFields>>
>;

/** A run that is scored, and gets its number and id when it is stored. */
export interface FinishedRun {
  readonly orgId: string;
  readonly head: SuiteHead;
  /** The revisions of suite and scorers that judge it. */
  readonly revisions: string;
  /** Credentials of scope `run` don't see how its cases fared, however the suite changes. */
  readonly resultsHidden: boolean;
  /** The name of its bar: the first run of a bar lists it. */
  readonly bar: string;
  readonly run: NewRunFields & VerdictRecord;
  readonly isOfDefaultBranch: boolean;
  readonly results: readonly StoredResult[];
  readonly idempotency: IdempotencyClaim | undefined;
  /** Decided before scoring: advisories end by it, and the run counts in its day and month. */
  readonly createdAt: string;
  readonly completedAtMs: number;
  readonly retentionDays: number;
  readonly plan: PlanInForce;
}

/** A run that is accepted and will be evaluated later. */
export interface Admission {
  readonly orgId: string;
  readonly head: SuiteHead;
  readonly run: NewRunFields & VerdictRecord;
  readonly isOfDefaultBranch: boolean;
  /** The revisions of suite and scorers that judge it, however the suite changes while it waits. */
  readonly revisions: string;
  /** Likewise. */
  readonly resultsHidden: boolean;
  readonly submission: AdmittedSubmission;
  readonly judgedCases: number;
  readonly idempotency: IdempotencyClaim | undefined;
  readonly startedAtMs: number;
  readonly createdAt: string;
  readonly retentionDays: number;
  readonly plan: PlanInForce;
}

/** Whether a run was stored. If not, nothing was: no usage is counted, no idempotency key is taken. */
export type StoredOutcome =
  | { readonly outcome: 'stored'; readonly run: StoredRun }
  /** `key_in_progress`: another request holds the idempotency key by now. `busy`: too many runs at once. */
  | { readonly outcome: 'suite_gone' | 'key_in_progress' | 'busy' }
  /** `used`: the month's runs so far. */
  | { readonly outcome: 'quota_exceeded'; readonly used: number }
  /** `open`: judged cases of the organisation's pending runs, beside which there is no room for this run's. */
  | { readonly outcome: 'backlog_full'; readonly open: number; readonly judgedCases: number };

export interface RunReader {
  find(orgId: string, runId: string): Promise<StoredRun | undefined>;
  /** See `readResults`. Of each result only what `keep` makes of it is held. */
  results<T = StoredResult>(
    orgId: string,
    runId: string,
    keep?: (result: StoredResult) => T,
  ): Promise<readonly T[] | undefined>;
  /** `since`: older runs are past the plan's retention. */
  page(orgId: string, head: SuiteHead, since: string, query: PageQuery): Promise<Page<StoredRun>>;
}

export interface RunStore extends RunReader {
  /** Stores a pending run and counts its usage, together or not at all. */
  admit(admission: Admission): Promise<StoredOutcome>;
  /** Stores a run with its results, and counts it in its suite, day and month, together or not at all. */
  commit(finished: FinishedRun): Promise<StoredOutcome>;
}

/** The claim on an idempotency key: its holder may store the key's one run. */
export interface IdempotencyClaim {
  readonly id: string;
  readonly keySha256: string;
  readonly bodySha256: string;
}

type ClaimAnswer =
  | { readonly kind: 'claimed' | 'other_body' | 'in_progress' }
  | { readonly kind: 'done'; readonly runId: string };

export interface IdempotencyStore {
  claim(orgId: string, claim: IdempotencyClaim): Promise<ClaimAnswer>;
  /** Gives the key back after a request that stored no run. */
  release(orgId: string, claim: IdempotencyClaim): Promise<void>;
}

export interface UsageStore {
  /** Runs counted in a month such as `2026-11`. */
  used(orgId: string, month: string): Promise<number>;
}
