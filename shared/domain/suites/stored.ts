import type { Scorer } from '../../contracts/scorers.ts';
import type { Suite } from '../../contracts/suites.ts';
import type { Position } from '../revisions/ports.ts';
import type { PushedScorer, PushedSuite } from './pushed.ts';

/** A project's head: a small item that every run reads. It exists exactly as long as the project. */
export interface ProjectHead {
  readonly id: string;
  readonly slug: string;
  /** The revision of its scorers that is in force. */
  readonly position: Position;
}

/** A suite's head: a small item that every run reads and counts up. It exists exactly as long as the suite. */
export interface SuiteHead {
  readonly suiteId: string;
  readonly slug: string;
  readonly projectId: string;
  readonly projectSlug: string;
  /** The revision that is in force. */
  readonly position: Position;
  readonly runCount: number;
  /** The number of the default branch's latest run; 0 without one. No run may have it. */
  readonly defaultRun: number;
  /** The latest time of its runs. */
  readonly lastRunAt: string | null;
}

/** Accepted runs by the names of their baselines, which are the tokens of the edits that put them in force. */
interface SuiteBaselines {
  /** What runs are compared with; null where it was removed. */
  readonly current: string | null;
  /** The one that was accepted last. It names the one before it. */
  readonly last: string;
  /** The results of a run of the current one are hidden. */
  readonly hidden?: boolean;
}

/** A suite with the slug of its project, by which the project's head is found. */
export type StoredSuite = Suite & {
  readonly project_slug: string;
  readonly baseline?: SuiteBaselines | undefined;
  /** When the last waiver of its runs ends: from then on no run looks for one. */
  readonly waived_until?: string | undefined;
} & PushedSuite;

export type StoredScorer = Scorer & { readonly project_slug: string } & PushedScorer;
