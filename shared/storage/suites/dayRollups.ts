import type { DayFigures } from '../../domain/analytics/figures.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { dayRollupKey, type Shard, TTL } from '../table/keys.ts';
import type { Item, Write } from '../table/table.ts';

/** Longer than any plan keeps runs. */
const KEPT_DAYS = 370;

/** What the attributes of an item begin with: `day` of all runs, `main` of those of the default branch. */
type Counted = 'day' | 'main';

export const readFigures = (item: Item, counted: Counted): DayFigures => ({
  runs: Number(item[`${counted}_runs`] ?? 0),
  cleared: Number(item[`${counted}_cleared`] ?? 0),
  passRateSum: Number(item[`${counted}_pass_rate_sum`] ?? 0),
});

export interface DayOfSuite {
  readonly orgId: string;
  readonly suiteId: string;
  /** In UTC: `2026-11-21`. */
  readonly day: string;
  readonly isOfDefaultBranch: boolean;
}

const added = (counted: Counted): string =>
  ['runs', 'cleared', 'pass_rate_sum'].map((name) => `${counted}_${name} :${name}`).join(', ');

/** Figures of a deleted suite are in no answer, and expire. */
export function addToDay(
  { orgId, suiteId, day, isOfDefaultBranch }: DayOfSuite,
  figures: DayFigures,
  shard?: Shard,
): Write {
  const sums = isOfDefaultBranch ? `${added('day')}, ${added('main')}` : added('day');
  return {
    Update: {
      Key: dayRollupKey(orgId, suiteId, day, shard),
      UpdateExpression: `ADD ${sums} SET ${TTL} = :ttl`,
      ExpressionAttributeValues: {
        ':runs': figures.runs,
        ':cleared': figures.cleared,
        ':pass_rate_sum': figures.passRateSum,
        ':ttl': seconds(timestamp(Date.parse(day) + KEPT_DAYS * DAY_MS)),
      },
    },
  };
}
