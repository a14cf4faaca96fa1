import type { Fault } from '../../contracts/gates.ts';
import type { ScorerOutput } from './debugOutput.ts';
import type { CompiledScorer, Outcome } from './definition.ts';
import type { Expected } from './reading/expected.ts';
import type { Subject } from './reading/subject.ts';
import type { Trace } from './trace.ts';

export interface SuiteScorer {
  readonly id: string;
  readonly type: string;
  readonly config: unknown;
  readonly dual_sided: boolean;
  readonly precision_threshold: number | null;
  readonly recall_threshold: number | null;
}

export interface SuiteCase {
  readonly id: string;
  readonly name: string;
  readonly expected: unknown;
  readonly threshold: number;
  readonly weight: number;
  /** Null when the scorer was deleted. */
  readonly scorer: SuiteScorer | null;
}

export interface Suite {
  readonly passThreshold: number;
  readonly cases: readonly SuiteCase[];
}

/** A scorer, or a scorer with one case's `expected`: kept with the suite between runs. Cases share them. */
export interface PlannedJob {
  readonly compiled: CompiledScorer | null;
  readonly expected: Expected;
  /** The outcome when there is nothing to run. */
  readonly fixed: Outcome | null;
}

export interface Job extends PlannedJob {
  readonly subject: Subject;
}

interface CaseJob {
  readonly evalCase: SuiteCase;
  /** Its scorer does: an output without a trace is missing. */
  readonly readsTrace: boolean;
  readonly job: number;
}

export interface JobPlan {
  readonly jobs: readonly PlannedJob[];
  readonly cases: readonly CaseJob[];
}

/** A suite ready to score any number of outputs. Keep it between runs: its validators are built once. */
export interface PreparedSuite {
  readonly suite: Suite;
  /** Made by the first run. */
  plan: JobPlan | null;
}

/** What the harness sent for one sample of a case: the model's output, why there is none, or only what its agent did. */
export type SentOutput = (
  | {
      readonly output?: string | undefined;
      readonly error?: undefined;
      readonly metadata?: Readonly<Record<string, unknown>> | undefined;
    }
  | { readonly output?: undefined; readonly error: string; readonly metadata?: undefined }
) & {
  /** What its agent did; an error excuses no deed. */
  readonly trace?: Trace | undefined;
};

/** Of all scoring that ends together. Processor time. */
export interface SharedTime {
  readonly startMs: number;
  readonly mostMs: number;
}

export interface ScoringRequest {
  /** Called once for each case, by its place in the suite. */
  readonly outputsOf: (index: number) => readonly SentOutput[];
  /** Milliseconds; only differences are used. */
  readonly now: () => number;
  /** Left out: that of a run. */
  readonly sharedTime?: SharedTime;
}

export interface CaseResult {
  case_id: string;
  case_name: string;
  passed: boolean;
  score: number;
  threshold: number;
  reason: string;
  scorer_output: ScorerOutput;
  duration_ms: number;
  errored: boolean;
  /** Only where it is errored: whose doing that is. */
  fault?: Fault | undefined;
  /** No output was sent, or none with the trace that is needed. The case failed and is not errored. */
  missing?: true;
}
