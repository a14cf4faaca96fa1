import { type DayFigures, plus } from '../../domain/analytics/figures.ts';
import type { SuiteHead } from '../../domain/suites/ports.ts';
import { dayOf, notBefore, timestamp } from '../../domain/time.ts';
import { purgeDue } from '../purge/purges.ts';
import { ADD_FIGURES, addToEarlierDay, figureValues, SET_FIGURES } from '../suites/dayRollups.ts';
import { DICTIONARY_FORMAT, readHead, storedFalls } from '../suites/suiteHeads.ts';
import { untilSettled } from '../table/backoff.ts';
import { putNew } from '../table/documents.ts';
import { createTurns } from '../table/inTurn.ts';
import { runKey, suiteHeadKey } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { orderAfter, type RunOrder } from './runOrder.ts';

export interface RunPlaceAndTime {
  readonly suiteId: string;
  readonly number: number;
  readonly createdAt: string;
}

export interface NewRun {
  readonly orgId: string;
  readonly head: SuiteHead;
  /** The run's token: a store recognises its own item by it after a lost answer. */
  readonly runToken: string;
  readonly startedAtMs: number;
  readonly figures: DayFigures;
  readonly itemOf: (place: RunPlaceAndTime) => Item;
  readonly alongside: (place: RunPlaceAndTime, item: Item) => Record<string, Write>;
}

/** Undefined: the suite is gone. `refused`: the writes alongside whose conditions failed. */
export type Numbered =
  | { readonly place: RunPlaceAndTime; readonly item: Item }
  | { readonly place: RunPlaceAndTime; readonly refused: ReadonlyMap<string, Item | undefined> }
  | undefined;

const isSameDay = ({ lastRunAt }: SuiteHead, createdAt: string): boolean =>
  lastRunAt !== null && dayOf(lastRunAt) === dayOf(createdAt);

/** How a run changes the figures of the day in the head. The figures of a new day replace those that were read. */
const SAME_DAY = { change: ` ${ADD_FIGURES}`, condition: '' };
const NEW_DAY = {
  change: `, ${SET_FIGURES}`,
  condition: ' AND (day_runs = :day_runs OR attribute_not_exists(day_runs))',
};

function setOrder({ falls, hasOldDictionaries }: SuiteHead, order: RunOrder) {
  const hasFallen = order.falls !== falls;
  const fields = [
    'last_ordered_at = :ordered',
    ...(hasFallen ? ['time_falls = :falls'] : []),
    ...(hasOldDictionaries ? ['dictionary_format = :format'] : []),
  ];
  return {
    set: fields.join(', '),
    values: {
      ':ordered': order.orderedAt,
      ...(hasFallen && { ':falls': storedFalls(order.falls) }),
      ...(hasOldDictionaries && { ':format': DICTIONARY_FORMAT }),
    },
  };
}

/**
 * Runs of a suite are numbered without gaps and, unless a clock is wrong, in the order of their times, so that a
 * page is one range of numbers. The first run of a day moves the figures of the day before to an item of their own.
 * The first run of this version also asks for the purge of dictionaries of an earlier version.
 */
function countRun(
  { orgId, figures }: NewRun,
  head: SuiteHead,
  { createdAt, order }: { createdAt: string; order: RunOrder },
): Record<string, Write> {
  const { suiteId, lastRunAt, latestDay } = head;
  const sameDay = isSameDay(head, createdAt);
  const { change, condition } = sameDay ? SAME_DAY : NEW_DAY;
  const { set, values } = setOrder(head, order);
  const moves = !sameDay && lastRunAt !== null && latestDay.runs > 0;
  return {
    head: {
      Update: {
        Key: suiteHeadKey(orgId, head.slug, head.projectId),
        UpdateExpression: `SET run_count = :next, last_run_at = :at, ${set}${change}`,
        ConditionExpression: `suite_id = :id AND run_count = :count${condition}`,
        ExpressionAttributeValues: {
          ...figureValues(figures),
          ':id': suiteId,
          ':count': head.runCount,
          ':next': head.runCount + 1,
          ':at': createdAt,
          ...values,
          ...(!sameDay && { ':day_runs': latestDay.runs }),
        },
      },
    },
    ...(head.hasOldDictionaries && { dictionaries: purgeDue(orgId, 'dictionaries', suiteId, createdAt) }),
    ...(moves && { day: addToEarlierDay(orgId, suiteId, dayOf(lastRunAt), latestDay) }),
  };
}

const headAfter = (
  head: SuiteHead,
  { number, createdAt, order }: RunPlaceAndTime & { readonly order: RunOrder },
  figures: DayFigures,
): SuiteHead => ({
  ...head,
  ...order,
  hasOldDictionaries: false,
  runCount: number,
  lastRunAt: createdAt,
  latestDay: isSameDay(head, createdAt) ? plus(head.latestDay, figures) : figures,
});

/** A run's time is not before that of the run before it, if the clocks of their functions differ only a little. */
const createdAtAfter = ({ lastRunAt }: SuiteHead, startedAtMs: number): string =>
  lastRunAt === null ? timestamp(startedAtMs) : notBefore(lastRunAt, startedAtMs);

interface Step {
  readonly result: Numbered;
  /** The head for the next run of this suite in this process. */
  readonly leaves?: SuiteHead;
}

/** One try under the next free number. Undefined when another run took it, with the head as it is now. */
async function tryNumber(table: Table, run: NewRun, head: SuiteHead): Promise<Step | { next: SuiteHead }> {
  const { orgId, runToken } = run;
  const { suiteId } = head;
  const place = { suiteId, number: head.runCount + 1, createdAt: createdAtAfter(head, run.startedAtMs) };
  const key = runKey(orgId, suiteId, place.number);
  const order = orderAfter(head, place.createdAt);
  const isOrderedByOwn = order.orderedAt === place.createdAt;
  const item = {
    ...run.itemOf(place),
    attempt: runToken,
    ...(!isOrderedByOwn && { ordered_at: order.orderedAt }),
  };
  const outcome = await table.transact<string>({
    ...countRun(run, head, { createdAt: place.createdAt, order }),
    run: putNew(key, item),
    ...run.alongside(place, item),
  });
  if (outcome.committed) {
    return { result: { place, item }, leaves: headAfter(head, { ...place, order }, run.figures) };
  }
  // The item may be of this run, written before its answer got lost.
  const there = await table.get(key);
  if (there?.attempt === runToken)
    return { result: { place: { ...place, createdAt: String(there.created_at) }, item: there } };
  const { head: current, run: _, ...others } = Object.fromEntries(outcome.failed);
  if (outcome.failed.has('head')) {
    // The writes alongside may have failed because the head did. The try under the next number shows.
    return current?.suite_id === suiteId ? { next: readHead(current) } : { result: undefined };
  }
  if (Object.keys(others).length > 0) {
    return { result: { place, refused: new Map(Object.entries(others)) }, leaves: head };
  }
  return { next: head };
}

const newestOf = (read: SuiteHead, left: SuiteHead | undefined): SuiteHead =>
  left !== undefined && left.runCount > read.runCount ? left : read;

/** Gives new runs their numbers. Within a process, the runs of a suite are stored one after the other. */
export function createNumbering(table: Table) {
  const inTurn = createTurns<SuiteHead>();
  return (run: NewRun): Promise<Numbered> =>
    inTurn(`${run.orgId}/${run.head.suiteId}`, (left) => {
      let head = newestOf(run.head, left);
      return untilSettled(async () => {
        const step = await tryNumber(table, run, head);
        if (!('next' in step)) return step;
        head = step.next;
        return undefined;
      }, table.backoff);
    });
}
