import type { DayFigures } from '../../domain/analytics/figures.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { dayRollupKey, type Shard, TTL } from '../table/keys.ts';
import type { Item, Write } from '../table/table.ts';

/** Longer than any plan keeps runs. */
const KEPT_DAYS = 370;

/**
 * Runs of plans that block further ones count in the head, which their transaction updates anyway, while they are of
 * the head's latest day. All others count in an item of their day, or in one of its shards.
 */
export const ADD_FIGURES = 'ADD day_runs :runs, day_cleared :cleared, day_pass_rate_sum :pass_rate_sum';
export const SET_FIGURES = 'day_runs = :runs, day_cleared = :cleared, day_pass_rate_sum = :pass_rate_sum';

export const figureValues = ({ runs, cleared, passRateSum }: DayFigures) => ({
  ':runs': runs,
  ':cleared': cleared,
  ':pass_rate_sum': passRateSum,
});

export const readFigures = (item: Item): DayFigures => ({
  runs: Number(item.day_runs ?? 0),
  cleared: Number(item.day_cleared ?? 0),
  passRateSum: Number(item.day_pass_rate_sum ?? 0),
});

export const hasFigures = ({ latestDay }: { readonly latestDay: DayFigures }): boolean => latestDay.runs > 0;

/** Uses `:none`, which is 0. */
export const NO_FIGURES = '(attribute_not_exists(day_runs) OR day_runs = :none)';

/**
 * What is moved out of the head must still be there: another run may have moved it meanwhile, and a third one may have
 * left as many runs with other verdicts.
 */
export const asRead = (latestDay: DayFigures) =>
  hasFigures({ latestDay })
    ? {
        condition: 'day_runs = :day_runs AND day_cleared = :day_cleared AND day_pass_rate_sum = :day_sum',
        values: {
          ':day_runs': latestDay.runs,
          ':day_cleared': latestDay.cleared,
          ':day_sum': latestDay.passRateSum,
        },
      }
    : { condition: NO_FIGURES, values: { ':none': 0 } };

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
      UpdateExpression: `${ADD_FIGURES} SET ${TTL} = :ttl`,
      ExpressionAttributeValues: {
        ...figureValues(figures),
        ':ttl': seconds(timestamp(Date.parse(day) + KEPT_DAYS * DAY_MS)),
      },
    },
  };
}
