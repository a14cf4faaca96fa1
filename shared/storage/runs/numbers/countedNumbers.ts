import { type DayFigures, plus } from '../../../domain/analytics/figures.ts';
import { createdAtAfter } from '../../../domain/runs/creation.ts';
import type { SuiteHead } from '../../../domain/suites/ports.ts';
import { dayOf } from '../../../domain/time.ts';
import {
  ADD_FIGURES,
  addToDay,
  asRead,
  figureValues,
  hasFigures,
  SET_FIGURES,
} from '../../suites/dayRollups.ts';
import { storedFalls } from '../../suites/suiteHeads.ts';
import { putNew } from '../../table/documents.ts';
import { runKey } from '../../table/keys.ts';
import type { Table, Write } from '../../table/table.ts';
import { orderAfter, type RunOrder } from '../runOrder.ts';
import { countWithinQuota, usedBefore } from '../usage.ts';
import {
  type BlockedRun,
  headKey,
  itemAt,
  type NewRun,
  type Numbered,
  type RunPlaceAndTime,
} from './newRuns.ts';

const isSameDay = ({ lastRunAt }: SuiteHead, createdAt: string): boolean =>
  lastRunAt !== null && dayOf(lastRunAt) === dayOf(createdAt);

/** How a run changes the figures of the day in the head. The figures of a new day replace those that were read. */
function figuresAfter(head: SuiteHead, createdAt: string) {
  if (isSameDay(head, createdAt))
    return { change: ` ${ADD_FIGURES}`, condition: '', values: {}, moves: false };
  const { condition, values } = asRead(head.latestDay);
  const moves = head.lastRunAt !== null && hasFigures(head);
  return { change: `, ${SET_FIGURES}`, condition: ` AND ${condition}`, values, moves };
}

function setOrder({ falls }: SuiteHead, order: RunOrder) {
  const hasFallen = order.falls !== falls;
  return {
    set: `last_ordered_at = :ordered${hasFallen ? ', time_falls = :falls' : ''}`,
    values: {
      ':ordered': order.orderedAt,
      ...(hasFallen && { ':falls': storedFalls(order.falls) }),
    },
  };
}

/**
 * Numbers of such runs have no gaps, since the transaction of the run counts it. The first run of a day moves the
 * figures of the day before to an item of their own.
 */
function countRun(
  run: NewRun,
  head: SuiteHead,
  { createdAt, order }: { createdAt: string; order: RunOrder },
): Record<string, Write> {
  const { orgId, figures } = run;
  const { suiteId, lastRunAt, latestDay } = head;
  const day = figuresAfter(head, createdAt);
  const { set, values } = setOrder(head, order);
  return {
    head: {
      Update: {
        Key: headKey(run),
        UpdateExpression: `SET run_count = :next, last_run_at = :at, ${set}${day.change}`,
        ConditionExpression: `suite_id = :id AND run_count = :count${day.condition}`,
        ExpressionAttributeValues: {
          ...figureValues(figures),
          ':id': suiteId,
          ':count': head.runCount,
          ':next': head.runCount + 1,
          ':at': createdAt,
          ...values,
          ...day.values,
        },
      },
    },
    ...(day.moves && { day: addToDay({ orgId, suiteId, day: dayOf(lastRunAt ?? '') }, latestDay) }),
  };
}

const headAfter = (
  head: SuiteHead,
  { number, createdAt, order }: RunPlaceAndTime & { readonly order: RunOrder },
  figures: DayFigures,
): SuiteHead => ({
  ...head,
  ...order,
  runCount: number,
  lastRunAt: createdAt,
  latestDay: isSameDay(head, createdAt) ? plus(head.latestDay, figures) : figures,
});

interface Step {
  readonly result: Numbered;
  readonly leaves?: SuiteHead;
}

/** One try under the next free number. Undefined when another run came first: the head is to be read again. */
export async function tryCountedNumber(
  table: Table,
  run: BlockedRun,
  head: SuiteHead,
): Promise<Step | undefined> {
  const { orgId, runToken, plan } = run;
  const { suiteId } = head;
  const place = { suiteId, number: head.runCount + 1, createdAt: createdAtAfter(head, run.startedAtMs) };
  if (!run.holdsAt(place.createdAt)) return { result: { otherTime: head }, leaves: head };
  const key = runKey(orgId, suiteId, place.number);
  const order = orderAfter(head, place.createdAt);
  const item = itemAt(run, place, order.orderedAt ?? place.createdAt);
  const usage = { orgId, createdAt: place.createdAt, plan };
  const before = await usedBefore(table, usage);
  const outcome = await table.transact<string>(
    {
      ...countRun(run, head, { createdAt: place.createdAt, order }),
      run: putNew(key, item),
      usage: countWithinQuota(usage, run.quota - before),
      ...run.alongside(place),
    },
    { once: true },
  );
  if (outcome.committed) {
    return { result: { place, item }, leaves: headAfter(head, { ...place, order }, run.figures) };
  }
  if (outcome.failed.size === 0) return undefined;
  // The item may be of this run, written before its answer got lost.
  const there = await table.get(key);
  if (there?.attempt === runToken)
    return { result: { place: { ...place, createdAt: String(there.created_at) }, item: there } };
  const { head: current, run: _, ...others } = Object.fromEntries(outcome.failed);
  if (outcome.failed.has('head')) {
    // The writes alongside may have failed because the head did. The try under the next number shows.
    return current?.suite_id === suiteId ? undefined : { result: undefined };
  }
  if (Object.keys(others).length > 0) {
    return { result: { place, refused: new Map(Object.entries(others)), usedBefore: before }, leaves: head };
  }
  return undefined;
}
