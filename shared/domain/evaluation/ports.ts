import type { Run, Verdict } from '../../contracts/runs.ts';
import type { Scorer } from '../../contracts/scorers.ts';
import type { ScoredCase, StoredRun } from '../ports.ts';
import type { Candidate } from '../runs/candidate.ts';

/** What a queue message asks of the evaluator. Messages carry ids only: duplicated or late, they change nothing. */
export type EvaluationMessage =
  | { readonly kind: 'plan'; readonly org_id: string; readonly run_id: string }
  | {
      readonly kind: 'chunk';
      readonly org_id: string;
      readonly run_id: string;
      readonly chunk: number;
      /** How often the chunk was put back because all judge slots were taken: an older message is stale. */
      readonly waits: number;
      /** How often the message found the chunk held by another evaluator. */
      readonly held: number;
    }
  | {
      readonly kind: 'key_test';
      readonly org_id: string;
      readonly key_id: string;
      readonly test_id: string;
      /** Where to ask, of providers whose models say that. */
      readonly model?: string | undefined;
    }
  | { readonly kind: 'extend_retention'; readonly org_id: string };

export interface EvaluationQueue {
  send(messages: readonly EvaluationMessage[], delaySeconds?: number): Promise<void>;
}

/** A case as it was when the run was planned. */
export interface PlannedCase {
  readonly id: string;
  readonly name: string;
  /** Empty for cases that no model judges. */
  readonly input: Record<string, unknown>;
  readonly expected: unknown;
  readonly threshold: number;
  readonly weight: number;
  readonly scorer: Scorer | null;
}

export interface Plan {
  readonly chunks: number;
  readonly passThreshold: number;
  readonly totalCases: number;
  /** Made only to say of each case that it was not evaluated. */
  readonly isAbandoned: boolean;
}

/** A run on its way to a verdict. */
export interface Evaluation {
  readonly orgId: string;
  readonly run: StoredRun;
  /** Names this run's working items. */
  readonly attempt: string;
  readonly plan: Plan | undefined;
  /** Names the chunks that the plan which counts has written. */
  readonly planner: string | undefined;
  /** How often the sweeper asked for it since it was last known to be alive, and when; 0 for never. */
  readonly nudges: number;
  readonly nudgedAtMs: number;
  /** When the run's retention ends, in seconds since 1970. */
  readonly expiresAt: number;
}

/** A run ends when every chunk has ended. */
export interface ChunkSummary {
  /** True for a chunk that could not be evaluated: its run does not count. */
  readonly failed: boolean;
  readonly weighed: readonly {
    readonly weight: number;
    readonly passed: boolean;
    readonly errored: boolean;
  }[];
}

/** What is known of a chunk that was taken at least once. */
export interface TakenChunk {
  readonly ended: boolean;
  /** When it was last taken, worked on, put back or ended. */
  readonly aliveAtMs: number;
  /** How often it was put back to wait; only a message that says as much counts. */
  readonly waits: number;
}

export type Claim = 'claimed' | 'held' | 'done' | 'worn_out' | 'stale';

export interface EvaluationStore {
  find(orgId: string, runId: string): Promise<Evaluation | undefined>;
  /** Undefined when it has expired. */
  candidate(evaluation: Evaluation): Promise<Candidate | undefined>;

  /** `planner` keeps the chunks of two planners apart; only the first plan that is saved counts. */
  savePlannedChunk(
    evaluation: Evaluation,
    planner: string,
    chunk: number,
    cases: readonly PlannedCase[],
  ): Promise<void>;
  /** False when there is a plan already, or the run has ended. */
  savePlan(evaluation: Evaluation, planner: string, plan: Plan): Promise<boolean>;
  /** Undefined when it has expired. */
  plannedChunk(evaluation: Evaluation, chunk: number): Promise<PlannedCase[] | undefined>;

  /**
   * Takes a chunk for a while; only the holder may call judges for it and finish it. `worn_out`: it was taken as
   * often as it may, and neither ended nor given back. `stale`: it was put back since, under another message.
   */
  claim(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    limits?: { readonly triesMax?: number; readonly waits?: number },
  ): Promise<Claim>;
  /** Called again and again while the holder works. False when another holds the chunk by now. */
  keepClaim(evaluation: Evaluation, chunk: number, holder: string): Promise<boolean>;
  /** Gives the chunk back, so that it can be claimed at once; `waits` when another message asks for it later. */
  release(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    how: { readonly inVain: boolean; readonly waits?: number },
  ): Promise<void>;
  /** Who lives, though another took its chunk, did not try in vain. */
  forgive(evaluation: Evaluation, chunk: number, holder: string): Promise<void>;
  /** Counts a provider call before it is made. `lost`: another holds the chunk. */
  beginCall(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    caseIndex: number,
  ): Promise<'begun' | 'exhausted' | 'lost'>;
  /** A judged case is judged once, however often its chunk is delivered: the first verdict stays. */
  saveJudged(evaluation: Evaluation, chunk: number, caseIndex: number, result: WeighedCase): Promise<void>;
  judged(evaluation: Evaluation, chunk: number): Promise<Map<number, WeighedCase>>;
  /** False when another holds the chunk by now. */
  finishChunk(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    results: readonly WeighedCase[],
    fate?: { readonly failed: boolean },
  ): Promise<boolean>;
  /** Takes note that a pending run was asked for so often. False when another asked for it meanwhile. */
  nudge(evaluation: Evaluation, nudges: number): Promise<boolean>;
  /** Which chunks have ended, these included. */
  markEnded(evaluation: Evaluation, chunks: readonly number[]): Promise<readonly number[]>;
  endedChunks(evaluation: Evaluation): Promise<ReadonlyMap<number, ChunkSummary>>;
  /** All that were ever taken. */
  takenChunks(evaluation: Evaluation): Promise<ReadonlyMap<number, TakenChunk>>;
  /** Moves a pending run to its end, once. False when it has ended already. */
  conclude(evaluation: Evaluation, verdict: ConcludedRun): Promise<boolean>;

  /** Pending runs created before this moment, the oldest first. */
  pendingBefore(
    createdBefore: string,
  ): Promise<readonly { orgId: string; runId: string; createdAt: string }[]>;
}

export type WeighedCase = ScoredCase & { readonly errored: boolean; readonly weight: number };

export interface ConcludedRun extends Verdict, Pick<Run, 'duration_ms'> {
  readonly completed_at: string;
  /** True for a run that could not be evaluated: it does not count as usage. */
  readonly givesBackUsage: boolean;
}

/** A suite at one moment: which cases are active, in order. */
export interface SuiteOutline {
  readonly revision: string;
  readonly passThreshold: number;
  readonly caseIds: readonly string[];
}

/** What planning reads: small steps, so that the largest suite fits into memory. */
export interface PlanningStore {
  /** Undefined when the suite or its project is gone. */
  outline(orgId: string, run: StoredRun): Promise<SuiteOutline | undefined>;
  /** What the outline's would be now. */
  revision(orgId: string, run: StoredRun): Promise<string | undefined>;
  /** Also of a suite that was deleted. */
  caseIds(orgId: string, run: StoredRun): Promise<readonly string[]>;
  /** The active ones of these cases, whole. */
  cases(orgId: string, run: StoredRun, ids: readonly string[]): Promise<PlannedCase[]>;
}
