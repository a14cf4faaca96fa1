import { createdAtAfter } from '../../../domain/runs/creation.ts';
import type { SuiteHead } from '../../../domain/suites/ports.ts';
import { CLOCKS_DIFFER_MS_MAX, dayOf, timestamp } from '../../../domain/time.ts';
import { addToDay, asRead, hasFigures, NO_FIGURES } from '../../suites/dayRollups.ts';
import { readHead, storedFalls } from '../../suites/suiteHeads.ts';
import { suiteHeadKey } from '../../table/keys.ts';
import type { Item, Table, Write } from '../../table/table.ts';
import { orderAfter } from '../runOrder.ts';
import { headKey, type Numberless } from './newRuns.ts';

/** Moves the figures that runs under a plan that blocks further ones left in the head to their day. */
function moveFigures({ orgId }: Numberless, head: SuiteHead, lastRunAt: string): Record<string, Write> {
  const { suiteId, latestDay } = head;
  const figures = asRead(latestDay);
  return {
    head: {
      Update: {
        Key: suiteHeadKey(orgId, head.slug, head.projectId),
        UpdateExpression: 'REMOVE day_runs, day_cleared, day_pass_rate_sum',
        ConditionExpression: `suite_id = :id AND ${figures.condition} AND last_run_at = :last`,
        ExpressionAttributeValues: { ':id': suiteId, ...figures.values, ':last': lastRunAt },
      },
    },
    day: addToDay({ orgId, suiteId, day: dayOf(lastRunAt) }, latestDay),
  };
}

const unlessLater = (field: string): string => `(attribute_not_exists(${field}) OR ${field} <= :at)`;

/** The time of the run before stays, since this run's function is a little behind, or was overtaken. */
const keepTime = (startedAtMs: number) => ({
  UpdateExpression: 'ADD run_count :one',
  ConditionExpression: 'suite_id = :id AND last_run_at BETWEEN :at AND :ahead',
  ExpressionAttributeValues: {
    ':at': timestamp(startedAtMs),
    ':ahead': timestamp(startedAtMs + CLOCKS_DIFFER_MS_MAX),
  },
});

const advanceTime = (createdAt: string) => ({
  UpdateExpression: 'SET last_run_at = :at, last_ordered_at = :at ADD run_count :one',
  ConditionExpression: [
    'suite_id = :id',
    NO_FIGURES,
    unlessLater('last_run_at'),
    unlessLater('last_ordered_at'),
  ].join(' AND '),
  ExpressionAttributeValues: { ':at': createdAt, ':none': 0 },
});

/** After a wrong clock, and only then, a number depends on what was read. */
function fallBack(head: SuiteHead, createdAt: string) {
  const { orderedAt, falls } = orderAfter(head, createdAt);
  return {
    UpdateExpression:
      'SET last_run_at = :at, last_ordered_at = :ordered, time_falls = :falls ADD run_count :one',
    ConditionExpression: `suite_id = :id AND run_count = :count AND ${NO_FIGURES}`,
    ExpressionAttributeValues: {
      ':at': createdAt,
      ':ordered': orderedAt,
      ':falls': storedFalls(falls),
      ':count': head.runCount,
      ':none': 0,
    },
  };
}

function nextNumber(head: SuiteHead, startedAtMs: number) {
  const createdAt = createdAtAfter(head, startedAtMs);
  if (createdAt === head.lastRunAt) return keepTime(startedAtMs);
  const isInOrder = head.orderedAt === null || createdAt >= head.orderedAt;
  return isInOrder ? advanceTime(createdAt) : fallBack(head, createdAt);
}

/** Undefined: the suite is gone. `taken` is false where the head was not as thought: it is now as `head` says. */
type Try = { readonly taken: boolean; readonly head: SuiteHead } | undefined;

const tryOf = (taken: boolean, item: Item | undefined, suiteId: string): Try =>
  item?.suite_id === suiteId ? { taken, head: readHead(item) } : undefined;

/** Reads what the head says now. */
export async function currentHead(table: Table, run: Numberless): Promise<SuiteHead | undefined> {
  const item = await table.get(headKey(run));
  return item?.suite_id === run.head.suiteId ? readHead(item) : undefined;
}

/**
 * Takes the suite's next number by adding to the head. Nobody else gets it: where no run is stored under it, it stays
 * unused. Numbers rise with the times that runs are ordered by, as `orderAfter` says.
 */
export async function tryTaking(table: Table, run: Numberless, head: SuiteHead): Promise<Try> {
  const { suiteId, lastRunAt } = head;
  if (lastRunAt !== null && hasFigures(head)) {
    await table.transact(moveFigures(run, head, lastRunAt));
    const tidy = await currentHead(table, run);
    return tidy && { taken: false, head: tidy };
  }
  const update = nextNumber(head, run.startedAtMs);
  const { updated, item } = await table.update({
    Key: headKey(run),
    ...update,
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':id': suiteId, ':one': 1 },
  });
  return tryOf(updated, item, suiteId);
}
