import type { DayFigures } from '../../domain/analytics/figures.ts';
import type { StoredRun } from '../../domain/runs/ports.ts';
import { DAY_MS, dayOf, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { dayRollupKey, TTL } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { headKeyOfRun } from './suiteOfRun.ts';

/** Longer than any plan keeps runs. */
const KEPT_DAYS = 370;

/** The newest run's day is kept in the head, which every run updates anyway; each earlier day in an item. */
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

export function addToEarlierDay(orgId: string, suiteId: string, day: string, figures: DayFigures): Write {
  return {
    Update: {
      Key: dayRollupKey(orgId, suiteId, day),
      UpdateExpression: `${ADD_FIGURES} SET ${TTL} = :ttl`,
      ExpressionAttributeValues: {
        ...figureValues(figures),
        ':ttl': seconds(timestamp(Date.parse(day) + KEPT_DAYS * DAY_MS)),
      },
    },
  };
}

/**
 * Counts a run that ends later than it was created, on the day of its creation. No write when the suite is gone.
 * Fails its condition when the suite is deleted, or gets its first run of another day, meanwhile.
 */
export async function countLater(
  table: Table,
  orgId: string,
  run: StoredRun,
  figures: DayFigures,
): Promise<Record<string, Write>> {
  const key = await headKeyOfRun(table, orgId, run);
  const head = key && (await table.get(key));
  if (key === undefined || head?.suite_id !== run.suite_id) return {};
  const day = dayOf(run.created_at);
  if (dayOf(String(head.last_run_at)) !== day)
    return { day: addToEarlierDay(orgId, run.suite_id, day, figures) };
  return {
    day: {
      Update: {
        Key: key,
        UpdateExpression: ADD_FIGURES,
        ConditionExpression: 'suite_id = :id AND begins_with(last_run_at, :day)',
        ExpressionAttributeValues: { ...figureValues(figures), ':id': run.suite_id, ':day': day },
      },
    },
  };
}
