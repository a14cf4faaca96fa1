import type { Ambient } from '../ports.ts';
import { DAY_MS } from '../time.ts';

/** As long as texts of deleted cases and suites, and all of deleted projects, are kept. */
export const DELETED_KEPT_MS = 30 * DAY_MS;

/** Runs are pending for three days at most, and dropped two weeks after their retention. */
const RUNS_GONE_AFTER_MS = (3 + 14) * DAY_MS;

export interface Kept extends Pick<Ambient, 'now'> {
  /** For how many days a run of the organisation is kept, as its plan says now. */
  readonly retentionDays: (orgId: string) => Promise<number>;
}

/** So long after a suite was deleted, or a text was replaced, no run of then exists. */
export const runsGoneAfterMs = async ({ retentionDays }: Kept, orgId: string): Promise<number> =>
  (await retentionDays(orgId)) * DAY_MS + RUNS_GONE_AFTER_MS;
