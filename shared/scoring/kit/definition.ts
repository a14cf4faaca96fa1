import type * as z from 'zod';
import type { ProviderValue } from '../../contracts/base/providers.ts';
import type { Fault } from '../../contracts/gates.ts';
import type { CheckTime } from './checkTime.ts';
import type { ScorerOutput } from './debugOutput.ts';
import type { Expected } from './reading/expected.ts';
import type { Subject } from './reading/subject.ts';

export interface ConfigIssue {
  /** Dotted path from the request body, e.g. `config.pattern`. */
  readonly path: string;
  readonly message: string;
}

/** An error that a scorer ends in, and whose doing it is. */
export interface DeclaredError {
  readonly code: string;
  /**
   * `service` only where nothing shows that the candidate or the bar brought it about: a client may excuse it. What the run
   * shows makes such an error the candidate's.
   */
  readonly fault: Fault;
}

/** Why a scorer could not score: the result's `scorer_output` is `{ error: code }`. */
export interface ScorerError extends DeclaredError {
  readonly reason: string;
}

/** Whether a scorer could score; if not, whose doing it is. */
type Ending =
  | { readonly errored: false; readonly fault?: undefined }
  | { readonly errored: true; readonly fault: Fault };

/** How one scorer scores one output. Cases share it, so it is never written to after it was built. */
export type Outcome = Ending & {
  readonly score: number;
  readonly reason: string;
  readonly output: ScorerOutput;
  /**
   * At no threshold, 0 included: for what was done, which an error beside it does not undo, or for what was not done.
   */
  readonly neverPasses?: 'by_deed' | 'by_lack';
  /** Set by dual-sided scorers only: a case passes if it also reaches the scorer's two thresholds. */
  readonly precisionRecall?: PrecisionRecall;
};

export interface PrecisionRecall {
  readonly precision: number;
  readonly recall: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
}

export interface ScorerOptions {
  readonly dualSided: boolean;
}

export interface CheckOptions extends ScorerOptions {
  /** For customer code that is compiled, or tried, when it is written. */
  readonly time: CheckTime;
}

/** Customer code (a pattern, a schema) or customer-sized work that may only run under a deadline. */
export interface Guard {
  readonly timeout: ScorerError;
  /** The most processor time of one score, when the scorer runs alone. */
  readonly limitMs: number;
  /** How long compiling may take in the first score. A scorer that compiles gets its whole limit. */
  readonly compileMs?: number;
  /** How long one score takes to find what all scores of an output share, such as its words. */
  readonly sharedPerMegabyteMs?: number;
}

export interface CompiledScorer {
  readonly guard: Guard | null;
  /** False when the outcome depends on the output alone, so that all cases of a run share one outcome. */
  readonly usesExpected: boolean;
  score(subject: Subject, expected: Expected): Outcome;
  /**
   * The most steps, of some nanoseconds each, that a score of this output takes: few ones need no deadline. To count them
   * takes no longer than reading the output. Left out: nothing is known of it.
   */
  stepsMax?(subject: Subject): number;
  /** Drops state that an interrupt may have left incomplete. */
  reset(): void;
}

/** A score, or an object with one; what else it holds is shown to the judge. */
export type ScaleLevel = number | { readonly score: number; readonly [field: string]: unknown };

export const scoreOfLevel = (level: ScaleLevel): number => (typeof level === 'number' ? level : level.score);

export interface JudgeQuestion {
  readonly provider: ProviderValue;
  /** Undefined for the deployment's default. */
  readonly model: string | undefined;
  readonly rubric: string;
  /** Scores from 0 to 1. */
  readonly scale: readonly ScaleLevel[] | undefined;
  /** How often at most an output next to the bar is judged: 1, 3 or 5. */
  readonly votes: number;
  /** The judge does not see what the output's model thought aloud. */
  readonly ignoresReasoning: boolean;
}

interface AnyScorer<Config> {
  readonly type: string;
  /** Strict: an unknown field, such as a misspelt `should_match`, would lower the bar if it were dropped. */
  readonly configSchema: () => z.ZodObject<z.ZodRawShape, z.core.$strict> & z.ZodType<Config>;
  /** The errors that only this scorer ends in; those of `errors.ts` are every scorer's. */
  readonly errors: readonly DeclaredError[];
  /** It measures no precision and no recall, so that it cannot be dual-sided. */
  readonly isOneSided?: true;
  /** Loads code that only `check` needs, so that a run does not read it. */
  loadCheck?(): Promise<void>;
  /** Finds faults that `configSchema` does not, such as patterns that do not compile. Runs under a deadline. */
  check?(config: Config, options: CheckOptions): ConfigIssue[];
}

/** Scores by itself: the same output has the same outcome. */
export interface DeterministicScorer<Config> extends AnyScorer<Config> {
  /** Its outcome depends on the output's metadata. */
  readonly readsMetadata?: true;
  /** Its outcome depends on the output's trace: an output without one is missing. */
  readonly readsTrace?: true;
  /** Its outcome depends on what a case expects, for some config at least. */
  readonly readsExpected?: true;
  /** Where a case expects nothing, no output passes, whatever the config. */
  readonly needsExpected?: true;
  /** Loads code that is too large to be read where no such scorer is used. Before it, `check` and `compile` throw. */
  load?(): Promise<void>;
  /** Cheap: the work is left to the first `score`. */
  compile(config: Config, options: ScorerOptions): CompiledScorer;
}

export interface JudgedScorer<Config> extends AnyScorer<Config> {
  question(config: Config): JudgeQuestion;
}

export type ScorerDefinition<Config> = DeterministicScorer<Config> | JudgedScorer<Config>;
