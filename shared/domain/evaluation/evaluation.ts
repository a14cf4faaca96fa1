import type { Run, Verdict } from '../../contracts/runs.ts';
import type { Scorer } from '../../contracts/scorers.ts';
import type { Provider } from '../byok/providers.ts';
import type { ScoredCase, StoredRun } from '../runs/ports.ts';
import type { CaseRules } from '../suites/rules.ts';

export interface PlannedCase extends CaseRules {
  readonly id: string;
  readonly name: string;
  /** Empty for cases that no model judges. */
  readonly input: Record<string, unknown>;
  readonly expected: unknown;
  readonly threshold: number;
  readonly weight: number;
  readonly scorer: Scorer | null;
}

export type Judges = Readonly<Partial<Record<Provider, readonly number[]>>>;

export interface ChunkPlan {
  readonly chunks: number;
  readonly passThreshold: number;
  readonly totalCases: number;
  /** The chunks with cases that a model of the provider judges. Plans of an earlier version name none. */
  readonly judges?: Judges | undefined;
  /** Made only to say of each case that it was not evaluated. */
  readonly isAbandoned: boolean;
}

export interface Evaluation {
  readonly orgId: string;
  readonly run: StoredRun;
  readonly runToken: string;
  readonly plan: ChunkPlan | undefined;
  /** Names the chunks that the plan which counts has written. */
  readonly planner: string | undefined;
  /** Where its usage is counted. Undefined: in the month's first item. */
  readonly usageShard: number | undefined;
  /** How often the sweeper asked for it since it was last known to be alive, and when; 0 for never. */
  readonly nudges: number;
  readonly nudgedAtMs: number;
  /** When messages for its chunks were last sent by a planner; 0 for never. */
  readonly sentAtMs: number;
  /** The judged cases that it took of the organisation's bound, by shard. */
  readonly openCases: Readonly<Record<string, number>>;
  /** When the run's retention ends, in seconds since 1970. */
  readonly expiresAt: number;
}

export interface ChunkSummary {
  /** True for a chunk that could not be evaluated: its run does not count. */
  readonly failed: boolean;
  readonly weighed: readonly {
    readonly weight: number;
    readonly passed: boolean;
    readonly errored: boolean;
  }[];
}

export interface TakenChunk {
  readonly ended: boolean;
  /** When it was last claimed, worked on, put back or ended. */
  readonly aliveAtMs: number;
  /** How often it was put back to wait for a seat or judge slots. Messages with a smaller number are stale. */
  readonly waits: number;
}

export type Claim = 'claimed' | 'held' | 'done' | 'tries_exhausted' | 'stale';

/** `waits`: the chunk was put back. Else as for a claim. */
export type WaitForSeat = 'waits' | Exclude<Claim, 'claimed'>;

export type WeighedCase = ScoredCase & { readonly errored: boolean; readonly weight: number };

export interface ConcludedRun extends Verdict, Pick<Run, 'duration_ms'> {
  readonly completed_at: string;
  readonly givesBackUsage: boolean;
}

/** A suite at one moment: which cases it has, in order. */
export interface SuiteOutline {
  readonly passThreshold: number;
  readonly caseIds: readonly string[];
}
