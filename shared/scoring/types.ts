import type * as z from 'zod';
import type { ScorerType } from '../contracts/scorers.ts';
import type { ScorerOutput } from './debugOutput.ts';
import type { Expected, Subject } from './subject.ts';

export interface Issue {
  /** Dotted path from the request body, e.g. `config.pattern`. */
  path: string;
  message: string;
}

export type ScorerErrorCode =
  | 'EXPECTED_MISSING'
  | 'REGEX_TIMEOUT'
  | 'SCHEMA_TIMEOUT'
  | 'CONTAINS_TIMEOUT'
  | 'EXACT_MATCH_TIMEOUT'
  | 'RUN_TIMEOUT'
  | 'SCHEMA_RECURSION'
  | 'SCORER_CONFIG_INVALID'
  | 'SCORER_NOT_FOUND'
  | 'BYOK_KEY_MISSING';

/** What one scorer says about one output. Never written to after it was built: cases share it. */
export interface Outcome {
  readonly score: number;
  readonly reason: string;
  readonly output: ScorerOutput;
  readonly errored: boolean;
  /** Set by dual-sided scorers only; the set thresholds of the scorer are held against it. */
  readonly sides?: Sides;
}

export interface Sides {
  readonly precision: number;
  readonly recall: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
}

export interface ScorerOptions {
  readonly dualSided: boolean;
}

/** Customer code (a pattern, a schema) or customer-sized work that may only run under a deadline. */
export interface Guard {
  readonly timeoutCode: ScorerErrorCode;
  /** What the scorer gets when it runs alone. */
  readonly limitMs: number;
  /** Scored without a deadline on outputs that are shorter. */
  readonly fromLength?: number;
  /** What compiling it for its first score may take, where it compiles: it is at fault at its limit only then. */
  readonly compileMs?: number;
}

export interface CompiledScorer {
  readonly guard: Guard | null;
  /** False when the outcome depends on the output alone, so one outcome serves all cases of a run. */
  readonly usesExpected: boolean;
  score(subject: Subject, expected: Expected): Outcome;
  /** Drops whatever an interrupt may have left half done. */
  reset(): void;
}

export interface ScorerDefinition<Config> {
  readonly type: ScorerType;
  /** Strict: a field that is dropped in silence, such as a misspelt `should_match`, would lower the bar. */
  readonly configSchema: z.ZodObject<z.ZodRawShape, z.core.$strict> & z.ZodType<Config>;
  /** The fields of `scorer_output`, by dotted paths, that repeat the case or the config: they hold nothing of an output. */
  readonly repeats: readonly string[];
  /** Loads what is too large to carry where no such scorer is met. Before it, `check` and `compile` throw. */
  load?(): Promise<void>;
  /** What a schema of shapes cannot see: patterns and schemas that don't compile. Runs under a deadline. */
  check?(config: Config, options: ScorerOptions): Issue[];
  /** Cheap: the real work is left to the first `score`. Absent when a language model judges instead. */
  compile?(config: Config, options: ScorerOptions): CompiledScorer;
}

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

/** One thing to score in a run: a scorer, or a scorer with one case's `expected`. Cases share jobs. */
export interface Job {
  readonly compiled: CompiledScorer | null;
  readonly expected: Expected;
  /** The outcome when there is nothing to run. */
  readonly fixed: Outcome | null;
}

interface PlannedCase {
  readonly evalCase: SuiteCase;
  /** Index into the plan's jobs. */
  readonly job: number;
}

export interface Plan {
  readonly jobs: readonly Job[];
  readonly cases: readonly PlannedCase[];
}

/** A suite ready to score any number of outputs. Keep it between runs: its validators are built once. */
export interface CompiledSuite {
  readonly suite: Suite;
  /** Made by the first run. */
  plan: Plan | null;
}

export interface ScoringRequest {
  readonly output: string;
  readonly input: object;
  /** Milliseconds; only differences are used. */
  readonly now: () => number;
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
}

export interface Verdict {
  status: 'cleared' | 'aborted';
  pass_rate: number;
  total_cases: number;
  passed_cases: number;
  failed_cases: number;
  errored_cases: number;
  inconclusive: boolean;
}

export interface SuiteScore {
  results: CaseResult[];
  verdict: Verdict;
}
