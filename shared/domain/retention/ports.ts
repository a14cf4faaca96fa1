import type { Principal } from '../principal.ts';

export interface Position {
  /** The suite that is under way or finished. Null: none yet. */
  readonly suite: string | null;
  /** Runs of that suite below this number are still to be extended. Null: the suite is finished. */
  readonly below: number | null;
  readonly left: boolean;
}

export const START: Position = { suite: null, below: null, left: false };

/** A change of plan whose runs are not all extended yet. */
export interface Extension extends Pick<Principal, 'orgId' | 'plan' | 'retainedFrom'> {
  readonly dueAt: string;
  readonly position: Position;
  /** Grows with every step, so that of two functions that take the same step only one is applied. */
  readonly steps: number;
}

/** A suite that may have runs, deleted suites included. */
export interface SuiteOfRuns {
  readonly at: string;
  readonly suiteId: string;
  /** False when its project was deleted, and its runs with it. */
  readonly projectLives: boolean;
}

export interface RunsToExtend {
  readonly orgId: string;
  readonly suiteId: string;
  /** Runs with smaller numbers only; null: all. */
  readonly below: number | null;
  /** Runs created before are gone. */
  readonly since: string;
  readonly retentionDays: number;
}

export interface ExtendedRuns {
  readonly read: number;
  /** Runs below this number are still to be extended. Null: none. */
  readonly next: number | null;
  /** Whether a run is still pending under the former plan. */
  readonly left: boolean;
}

export interface RetentionStore {
  find(orgId: string): Promise<Extension | undefined>;
  /** Extensions whose next step was last asked for before this moment. */
  askedBefore(beforeMs: number): Promise<readonly Pick<Extension, 'orgId' | 'dueAt'>[]>;
  /** False when the next step was asked for since `beforeMs`, or the extension is over. */
  ask(extension: Pick<Extension, 'orgId' | 'dueAt'>, beforeMs: number): Promise<boolean>;
  /** False when another took the step, or the plan changed again. */
  advance(extension: Extension, position: Position): Promise<boolean>;
  finish(extension: Extension): Promise<void>;
  suites(orgId: string, position: Position, limit: number): Promise<readonly SuiteOfRuns[]>;
  /** Prolongs up to `limit` runs with their results, the newest first. Never shortens. */
  extendRuns(runs: RunsToExtend, limit: number): Promise<ExtendedRuns>;
}
