import type { Notice } from '../../contracts/runDetails.ts';
import type { Run, Verdict } from '../../contracts/runs.ts';
import type { GatedCase } from '../../scoring/verdict/gating.ts';
import type { Provider } from '../byok/providers.ts';
import type { PlanInForce } from '../plans.ts';
import type { StoredRun, VerdictRecord } from '../runs/ports.ts';
import type { Judges } from '../suites/chains/plannedCase.ts';
import type { SuiteSettings } from '../suites/ports.ts';
import type { TokenUsage } from './judging/ports.ts';

export type { CaseResult } from '../../scoring/kit/types.ts';

export interface ChunkPlan extends SuiteSettings {
  /** For each chunk the position among all cases of the suite at which it ends, and the next one begins. */
  readonly ends: readonly number[];
  readonly totalCases: number;
  /** Null for a plan that is abandoned. */
  readonly suiteDigest: string | null;
  /** The name of its bar: the first run of a bar lists it. An abandoned plan has none. */
  readonly bar?: string | undefined;
  readonly outputs: PlannedOutputs;
  /** The chunks with cases that a model of the provider judges. An abandoned plan names none. */
  readonly judges?: Judges | undefined;
  /** Made only to say of each case that it was not evaluated. */
  readonly isAbandoned: boolean;
}

/** Where the outputs of a run lie that has its own for each case. */
export interface PlannedOutputs {
  readonly digest: string | null;
  readonly surplus: readonly string[];
  readonly surplusOutputs: number;
  /** Whether one of them, or the input that was sent with it, may use up a limit of tokens. */
  readonly isLong?: boolean | undefined;
  /** For each chunk its cases in groups whose outputs fit into memory. Empty for a run with one output. */
  readonly groups: readonly (readonly OutputGroup[])[];
  /** For each chunk how many outputs each of its cases got. Empty for a run with one output. */
  readonly counts: readonly (readonly number[])[];
}

/** Cases of a chunk that follow each other, from a place in it, with the blocks that hold their outputs. */
export type OutputGroup = readonly [firstCase: number, cases: number, blocks: readonly number[]];

export interface Evaluation {
  readonly orgId: string;
  readonly run: StoredRun;
  readonly runToken: string;
  readonly plan: ChunkPlan | undefined;
  /** Under which its usage is counted. Undefined: the run has ended. */
  readonly usagePlan: PlanInForce | undefined;
  /** How often the sweeper asked for it since it was last known to be alive, and when; 0 for never. */
  readonly reminders: number;
  readonly remindedAtMs: number;
  /** The judged cases that it took of the organisation's bound. */
  readonly openCases: number;
  /** When the run's retention ends, in seconds since 1970. */
  readonly expiresAt: number;
}

export interface ChunkSummary {
  /** True for a chunk that could not be evaluated: its run does not count. */
  readonly failed: boolean;
  /** Only cases that did not pass have an id and a key. */
  readonly cases: readonly GatedCase[];
  readonly notices: readonly Notice[];
  /** Undefined where no error of the chunk depends on it. */
  readonly answers?: ChunkAnswers | undefined;
  /** What its judges took, in all deliveries. Undefined where a model judges none of its cases. */
  readonly judge?: (JudgeTokens & { readonly calls: number }) | undefined;
}

export interface JudgeTokens extends TokenUsage {
  /** Verdicts of earlier runs. */
  readonly remembered: number;
}

/** Who could have answered a question about an output: a provider, or the evaluator itself. */
export type Party = Provider | 'evaluator';

/** Whose answers decide whether an error of a case is the service's. */
export interface ChunkAnswers {
  /** The parties that answered a question of the chunk. */
  readonly answered: readonly Party[];
  /** The places of the cases whose errors are the service's, unless the party answered elsewhere in the run. */
  readonly excused: Readonly<Partial<Record<Party, readonly number[]>>>;
}

export interface TakenChunk {
  readonly ended: boolean;
  /** When it was last claimed, worked on, put back or ended. */
  readonly aliveAtMs: number;
  /** How often it was put back to wait for a seat or judge slots. Messages with a smaller number are stale. */
  readonly waits: number;
}

export type Claim = 'claimed' | 'held' | 'done' | 'tries_exhausted' | 'stale';

/** `waits`: the chunk was put back; `waits_tried`: it had been tried before. Else as for a claim. */
export type WaitForSeat = 'waits' | 'waits_tried' | Exclude<Claim, 'claimed'>;

export interface ConcludedRun extends Verdict, VerdictRecord, Pick<Run, 'duration_ms'> {
  readonly completed_at: string;
  readonly refundsUsage: boolean;
}
