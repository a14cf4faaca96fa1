import type { SuiteHead } from '../suites/stored.ts';
import type { DayFigures } from './figures.ts';

export interface Day {
  /** In UTC: `2026-11-21`. */
  readonly date: string;
  readonly figures: DayFigures;
}

export interface AnalyticsStore {
  /** The days with runs among these, both ends included, the most recent first. */
  days(orgId: string, head: SuiteHead, from: string, to: string): Promise<readonly Day[]>;
  /** The figures of the runs created from `since` on and before `before`, counted from the runs. */
  recount(orgId: string, head: SuiteHead, since: string, before: string): Promise<DayFigures>;
  /** Ids of the newest runs that have a verdict, the newest first; older ones than `since` are gone. */
  latestRuns(orgId: string, head: SuiteHead, since: string, count: number): Promise<readonly string[]>;
}
