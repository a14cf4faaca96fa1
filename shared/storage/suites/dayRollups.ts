import type { DayFigures } from '../../domain/analytics/figures.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { dayRollupKey, type Shard, TTL } from '../table/keys.ts';
import type { Item, Write } from '../table/table.ts';

/** Longer than any plan keeps runs. */
const KEPT_DAYS = 370;

export const readFigures = (item: Item): DayFigures => ({
  runs: Number(item.day_runs ?? 0),
  cleared: Number(item.day_cleared ?? 0),
  passRateSum: Number(item.day_pass_rate_sum ?? 0),
});

export interface DayOfSuite {
  readonly orgId: string;
  readonly suiteId: string;
  /** In UTC: `2026-11-21`. */
  readonly day: string;
}

/** Figures of a deleted suite are in no answer, and expire. */
export function addToDay({ orgId, suiteId, day }: DayOfSuite, figures: DayFigures, shard?: Shard): Write {
  return {
    Update: {
      Key: dayRollupKey(orgId, suiteId, day, shard),
      UpdateExpression: `ADD day_runs :runs, day_cleared :cleared, day_pass_rate_sum :pass_rate_sum SET ${TTL} = :ttl`,
      ExpressionAttributeValues: {
        ':runs': figures.runs,
        ':cleared': figures.cleared,
        ':pass_rate_sum': figures.passRateSum,
        ':ttl': seconds(timestamp(Date.parse(day) + KEPT_DAYS * DAY_MS)),
      },
    },
  };
}
