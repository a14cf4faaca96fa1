import type { Notice } from '../../contracts/runDetails.ts';
import type { ScorerOutput } from '../../scoring/kit/debugOutput.ts';
import type { CaseResult } from '../../scoring/kit/types.ts';
import type { GatedCase } from '../../scoring/verdict/gating.ts';
import type { Provider } from '../byok/providers.ts';
import type { ChunkMessage } from '../messages.ts';
import type { PlacedOutput } from '../runs/outputs/blocks.ts';
import type { Payload } from '../runs/outputs/submission.ts';
import type { StoredResult } from '../runs/results/storedResult.ts';
import type {
  ChunkAnswers,
  ChunkPlan,
  ChunkSummary,
  Claim,
  ConcludedRun,
  Evaluation,
  JudgeTokens,
  TakenChunk,
  WaitForSeat,
} from './evaluation.ts';
import type { TokenUsage } from './judging/ports.ts';
import type { ListedRun, PendingPage } from './sweeping/ports.ts';

export interface PendingRunStore {
  find(orgId: string, runId: string): Promise<Evaluation | undefined>;
  /** Pending runs of a shard that were created before a moment, the oldest first, after a place in the list. */
  pendingPage(
    shard: number,
    page: { readonly createdBefore: string; readonly after: string | null; readonly limit: number },
  ): Promise<PendingPage>;
  /** Takes a run that has expired off the list, with all that it took. */
  unlist(run: ListedRun): Promise<void>;
  usesSlots(orgId: string): Promise<boolean>;
  /** Counts a reminder that is about to be sent for a pending run. False when another sweep counted one meanwhile. */
  countReminder(evaluation: Evaluation, reminders: number): Promise<boolean>;
  /** Moves a pending run to its end, once. False when it has ended already. */
  conclude(evaluation: Evaluation, verdict: ConcludedRun): Promise<boolean>;
}

interface ChunkPlanStore {
  /** Undefined when it has expired. Outputs of their own lie in blocks. */
  payload(evaluation: Evaluation): Promise<Payload | undefined>;
  /** Undefined when it has expired. */
  outputBlock(evaluation: Evaluation, block: number): Promise<readonly PlacedOutput[] | undefined>;
  /** Drops payload and blocks: of a planned run, all chunks of which have ended, or of a run that has ended. */
  dropPayload(evaluation: Evaluation): Promise<void>;
  /** False when there is a plan already, or the run has ended. */
  savePlan(evaluation: Evaluation, plan: ChunkPlan): Promise<boolean>;
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
  /**
   * Puts a chunk back that found no seat, unclaimed, for a message with this number of waits that comes after so many
   * seconds. `waiter` names the attempt, so that one whose answer got lost knows its own write.
   */
  waitForSeat(
    evaluation: Evaluation,
    chunk: number,
    wait: {
      readonly waits: number;
      readonly waiter: string;
      readonly triesMax: number;
      readonly forSeconds: number;
    },
  ): Promise<WaitForSeat>;
  /** Takes the try of a holder off the count: it lost its claim while it was alive. */
  uncountTry(evaluation: Evaluation, chunk: number, holder: string): Promise<void>;
  /**
   * Counts a call for each of these cases, at most 20, before they are made. `lost`: another evaluator holds the chunk.
   * `exhausted`: the calls of one of them are used up, and none was counted. `callsMaxOf`: by default those of one vote.
   */
  beginCalls(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    caseIndexes: readonly number[],
    callsMaxOf?: (caseIndex: number) => number,
  ): Promise<'begun' | 'exhausted' | 'lost'>;
}

export interface JudgedSample {
  readonly result: CaseResult;
  /** What its calls took in this run. */
  readonly usage: TokenUsage;
}

/** What a judge came to. A sample is judged once, however often its chunk is delivered: the first outcome stays. */
export interface JudgedCaseStore {
  saveJudged(evaluation: Evaluation, chunk: number, sample: number, judged: JudgedSample): Promise<void>;
  /** By the place of the sample among all of the chunk. Verdicts are in the suite's memory. */
  judged(evaluation: Evaluation, chunk: number): Promise<Map<number, JudgedSample>>;
}

/** A verdict as a suite remembers it. */
export interface KeptVerdict {
  readonly score: number;
  readonly reason: string;
  readonly output: ScorerOutput;
  /** In the run that got it, at the threshold of the case then. */
  readonly passed: boolean;
  readonly durationMs: number;
  readonly keptAtMs: number;
  /** Which run got it, for which sample. */
  readonly runToken: string;
  readonly chunk: number;
  readonly place: number;
}

/** What a suite's judges answered, by the digests of what they were asked: for 30 days, or for the plan's retention. */
export interface VerdictStore extends Pick<JudgedCaseStore, 'saveJudged'> {
  /** As they were a moment ago. */
  verdicts(evaluation: Evaluation, digests: readonly string[]): Promise<ReadonlyMap<string, KeptVerdict>>;
  /** Answers the verdict that stays: the first one, unless the new one `replaces` it. That of the same run stays then, too. */
  keepVerdict(
    evaluation: Evaluation,
    digest: string,
    kept: KeptVerdict,
    how: { readonly replaces: boolean },
  ): Promise<KeptVerdict>;
  /** Those that a run got for a chunk. Looks through all of the suite: for a chunk that is given up. */
  verdictsOfRun(evaluation: Evaluation, chunk: number): Promise<readonly KeptVerdict[]>;
}

export interface EndedChunkStore {
  /** False when another evaluator holds the chunk by now. */
  finishChunk(
    evaluation: Evaluation,
    chunk: number,
    holder: string,
    ended: {
      readonly results: readonly StoredResult[];
      /** As the verdict is folded from them. */
      readonly cases: readonly GatedCase[];
      readonly notices?: readonly Notice[];
      readonly answers?: ChunkAnswers | undefined;
      readonly judge?: JudgeTokens | undefined;
      readonly failed?: boolean;
    },
  ): Promise<boolean>;
  /** Stores other results of a chunk that has ended. A repetition changes nothing. */
  changeResults(
    evaluation: Evaluation,
    chunk: number,
    change: (result: StoredResult, place: number) => StoredResult,
  ): Promise<void>;
  /** Records that these chunks have ended. Answers all that have. */
  markEnded(evaluation: Evaluation, chunks: readonly number[]): Promise<readonly number[]>;
  endedChunks(evaluation: Evaluation): Promise<ReadonlyMap<number, ChunkSummary>>;
  takenChunks(evaluation: Evaluation): Promise<ReadonlyMap<number, TakenChunk>>;
}

export type EvaluationStore = PendingRunStore &
  ChunkPlanStore &
  ChunkClaimStore &
  JudgedCaseStore &
  VerdictStore &
  EndedChunkStore;

export interface WaitingChunk {
  readonly message: ChunkMessage;
  readonly runCreatedAt: string;
  /** By an evaluator that may have died of it: it is evaluated alone. */
  readonly isTried: boolean;
}

/** The chunks of an organisation that wait for a seat at a provider. The message of each comes back, too: the list may lose some. */
export interface WaitingChunkStore {
  list(
    evaluation: Evaluation,
    message: ChunkMessage,
    provider: Provider,
    wait: { readonly isTried: boolean; readonly forSeconds: number },
  ): Promise<void>;
  unlist(evaluation: Evaluation, chunk: number, provider: Provider): Promise<void>;
  /** Of the oldest run. */
  oldest(orgId: string, provider: Provider): Promise<WaitingChunk | undefined>;
  /** Takes it off the list. False when another evaluator did, or it was listed again. */
  take(waiting: WaitingChunk, provider: Provider): Promise<boolean>;
  /** Whether any chunk of the organisation waits, at whichever provider. */
  areAny(orgId: string): Promise<boolean>;
}
