import { createdAtAfter } from '../../../domain/runs/creation.ts';
import type { SuiteHead } from '../../../domain/suites/ports.ts';
import { CLOCKS_DIFFER_MS_MAX, dayOf, timestamp } from '../../../domain/time.ts';
import { purgeDue } from '../../purge/purges.ts';
import { addToDay, asRead, hasFigures, NO_FIGURES } from '../../suites/dayRollups.ts';
import { DICTIONARY_FORMAT, readHead, storedFalls } from '../../suites/suiteHeads.ts';
import { suiteHeadKey } from '../../table/keys.ts';
import type { Item, Table, Write } from '../../table/table.ts';
import { orderAfter } from '../runOrder.ts';
import { headKey, type Numberless } from './newRuns.ts';

/** What runs under a plan that blocks further ones, and earlier versions, left in the head. */
function tidying({ orgId }: Numberless, head: SuiteHead, at: string): Record<string, Write> {
  const { suiteId, lastRunAt, latestDay, hasOldDictionaries } = head;
  const moves = lastRunAt !== null && hasFigures(head);
  const set = hasOldDictionaries ? 'SET dictionary_format = :format' : '';
  const remove = moves ? 'REMOVE day_runs, day_cleared, day_pass_rate_sum' : '';
  const figures = asRead(latestDay);
  const conditions = [
    'suite_id = :id',
    ...(hasOldDictionaries ? ['attribute_not_exists(dictionary_format)'] : []),
    ...(moves ? [figures.condition, 'last_run_at = :last'] : []),
  ];
  return {
    head: {
      Update: {
        Key: suiteHeadKey(orgId, head.slug, head.projectId),
        UpdateExpression: `${set} ${remove}`.trim(),
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeValues: {
          ':id': suiteId,
          ...(hasOldDictionaries && { ':format': DICTIONARY_FORMAT }),
          ...(moves && { ...figures.values, ':last': lastRunAt }),
        },
      },
    },
    ...(hasOldDictionaries && { dictionaries: purgeDue(orgId, 'dictionaries', suiteId, at) }),
    ...(moves && { day: addToDay({ orgId, suiteId, day: dayOf(lastRunAt) }, latestDay) }),
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
  const { suiteId } = head;
  if (head.hasOldDictionaries || hasFigures(head)) {
    await table.transact(tidying(run, head, createdAtAfter(head, run.startedAtMs)));
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
