import type { Candidate } from '../runs/candidate.ts';
import type { StoredRun } from '../runs/ports.ts';
import type { PackStore } from '../suites/packedSuites.ts';
import type {
  ChunkPlan,
  ChunkSummary,
  Claim,
  ConcludedRun,
  Evaluation,
  PlannedCase,
  SuiteOutline,
  TakenChunk,
  WeighedCase,
} from './evaluation.ts';

export interface PendingRunStore {
  find(orgId: string, runId: string): Promise<Evaluation | undefined>;
  /** Pending runs created before this moment, the oldest first. */
  pendingBefore(
    createdBefore: string,
  ): Promise<readonly { orgId: string; runId: string; createdAt: string }[]>;
  /** Counts a reminder that is about to be sent for a pending run. False when another sweep counted one meanwhile. */
  nudge(evaluation: Evaluation, nudges: number): Promise<boolean>;
  /** Moves a pending run to its end, once. False when it has ended already. */
  conclude(evaluation: Evaluation, verdict: ConcludedRun): Promise<boolean>;
}

interface ChunkPlanStore {
  /** Undefined when it has expired. */
  candidate(evaluation: Evaluation): Promise<Candidate | undefined>;
  /** `planner` names the planned chunks. False when there is a plan already, or the run has ended. */
  savePlan(evaluation: Evaluation, planner: string, plan: ChunkPlan): Promise<boolean>;
  /** Undefined when it has expired. */
  plannedChunk(evaluation: Evaluation, chunk: number): Promise<PlannedCase[] | undefined>;
}

export interface ChunkClaimStore {
  /**
   * Takes a chunk for a while; only the holder may call judges for it and finish it. `tries_exhausted`: as many
   * evaluators as allowed took it, and none ended it or gave it back. `stale`: it was put back since, and another
   * message asks for it.
   */
  claim(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    limits?: { readonly triesMax?: number; readonly waits?: number },
  ): Promise<Claim>;
  /** Prolongs the holder's claim. False when another evaluator holds the chunk by now. */
  keepClaim(evaluation: Evaluation, chunk: number, holder: string): Promise<boolean>;
  /** `countsAsTry`: the evaluation failed. `waits` when another message asks for the chunk later. */
  release(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    how: { readonly countsAsTry: boolean; readonly waits?: number },
  ): Promise<void>;
  /** Takes the try of a holder off the count: it lost its claim while it was alive. */
  uncountTry(evaluation: Evaluation, chunk: number, holder: string): Promise<void>;
  /** Counts a provider call before it is made. `lost`: another evaluator holds the chunk. */
  beginCall(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    caseIndex: number,
  ): Promise<'begun' | 'exhausted' | 'lost'>;
}

/** Verdicts of models. A judged case is judged once, however often its chunk is delivered: the first verdict stays. */
export interface JudgedCaseStore {
  saveJudged(evaluation: Evaluation, chunk: number, caseIndex: number, result: WeighedCase): Promise<void>;
  /** By the place of the case in the chunk. */
  judged(evaluation: Evaluation, chunk: number): Promise<Map<number, WeighedCase>>;
}

export interface EndedChunkStore {
  /** False when another evaluator holds the chunk by now. */
  finishChunk(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    ended: { readonly results: readonly WeighedCase[]; readonly failed?: boolean },
  ): Promise<boolean>;
  /** Records that these chunks have ended. Answers all that have. */
  markEnded(evaluation: Evaluation, chunks: readonly number[]): Promise<readonly number[]>;
  endedChunks(evaluation: Evaluation): Promise<ReadonlyMap<number, ChunkSummary>>;
  takenChunks(evaluation: Evaluation): Promise<ReadonlyMap<number, TakenChunk>>;
}

export type EvaluationStore = PendingRunStore &
  ChunkPlanStore &
  ChunkClaimStore &
  JudgedCaseStore &
  EndedChunkStore;

/** Reads a suite in small steps, so that the largest suite fits into memory. */
export interface PlanningStore extends PackStore {
  /** Undefined when the suite or its project is gone. */
  revision(orgId: string, run: StoredRun): Promise<string | undefined>;
  /** Undefined when the suite is gone. */
  outline(orgId: string, run: StoredRun): Promise<SuiteOutline | undefined>;
  /** Also of a suite that was deleted. */
  caseIds(orgId: string, run: StoredRun): Promise<readonly string[]>;
  /** The active ones among these cases, if all cases of the suite fit into memory at once: cheaper than `cases`. */
  casesIfSmall(
    orgId: string,
    run: StoredRun,
    ids: readonly string[],
  ): Promise<AsyncIterable<readonly PlannedCase[]> | undefined>;
  /** The active cases among these, with their documents. */
  cases(orgId: string, run: StoredRun, ids: readonly string[]): Promise<PlannedCase[]>;
}
