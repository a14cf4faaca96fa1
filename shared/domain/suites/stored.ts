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
  /** The latest time of its runs. */
  readonly lastRunAt: string | null;
}

/** A suite with the slug of its project, by which the project's head is found. */
export type StoredSuite = Suite & { readonly project_slug: string } & PushedSuite;

export type StoredScorer = Scorer & { readonly project_slug: string } & PushedScorer;
