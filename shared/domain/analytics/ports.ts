import type { SuiteHead } from '../suites/stored.ts';
import type { DayFigures } from './figures.ts';

export interface Day {
  /** In UTC: `2026-11-21`. */
  readonly date: string;
  readonly figures: DayFigures;
}

/** Undefined: all branches. */
export type Branch = 'default';

/** Runs created from `since` on and before `before`. */
export interface Recounted {
  readonly since: string;
  readonly before: string;
  readonly branch: Branch | undefined;
}

/** Both ends are included. */
interface RequestedDays {
  readonly from: string;
  readonly to: string;
  readonly branch: Branch | undefined;
}

export interface AnalyticsStore {
  /** The days with runs among these, the most recent first. */
  days(orgId: string, head: SuiteHead, requested: RequestedDays): Promise<readonly Day[]>;
  /** The figures of these runs, counted from the runs. */
  recount(orgId: string, head: SuiteHead, recounted: Recounted): Promise<DayFigures>;
  /** Ids of the newest runs that have a verdict, the newest first; older ones than `since` are gone. */
  latestRuns(orgId: string, head: SuiteHead, since: string, count: number): Promise<readonly string[]>;
}
