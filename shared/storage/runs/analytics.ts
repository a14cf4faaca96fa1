import { type DayFigures, figuresOf, NO_RUNS, plus } from '../../domain/analytics/figures.ts';
import type { AnalyticsStore, Day } from '../../domain/analytics/ports.ts';
import { runId } from '../../domain/runs/ids.ts';
import type { SuiteHead } from '../../domain/suites/ports.ts';
import { dayOf } from '../../domain/time.ts';
import { readFigures } from '../suites/dayRollups.ts';
import { readHead } from '../suites/suiteHeads.ts';
import { untilSettled } from '../table/backoff.ts';
import { dayRollups, SK, suiteHeadKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { isConclusive, readRun } from './runItems.ts';
import { numberOf, orderedAtOf, type RunRange, risingRanges, runsBetween, runsSince } from './runOrder.ts';

const RECOUNTED = 1_000;
const LOOKED_AT = 10;

export function analyticsStore(table: Table): AnalyticsStore {
  return {
    async days(orgId, head, from, to) {
      let now: SuiteHead | undefined = head;
      return untilSettled(async () => {
        const before: SuiteHead | undefined = now;
        const items = await table.query(dayRollups(orgId, head.suiteId, from, to));
        if (before === undefined || before.latestDay.runs === 0) return daysOf(items);
        // What is in the head may have moved to an item since the head was read.
        now = await headNow(table, orgId, head);
        if (JSON.stringify(figuresIn(now)) !== JSON.stringify(figuresIn(before))) return undefined;
        return daysOf(items, before).filter(({ date }) => date >= from && date <= to);
      }, table.backoff);
    },

    async recount(orgId, head, since, before) {
      const ranges = await runsSince(table, { orgId, head }, since);
      let figures = NO_RUNS;
      for (const range of ranges) {
        const within = await countWithin(table, { orgId, suiteId: head.suiteId, range }, { since, before });
        figures = plus(figures, within);
      }
      return figures;
    },

    async latestRuns(orgId, head, since, count) {
      const { suiteId } = head;
      const ids: string[] = [];
      for (const { first, last } of risingRanges(head, since).toReversed()) {
        for (let to = last; to >= first && ids.length < count; ) {
          const range = runsBetween(orgId, suiteId, { first, last: to });
          const options = { newestFirst: true, limit: LOOKED_AT, withExpired: true };
          const items = await table.query(range, options);
          const found = items.filter((item) => String(item.created_at) >= since && isConclusive(item));
          ids.push(...found.map((item) => runId({ suiteId, number: numberOf(item) })));
          const oldest = items.at(-1);
          if (oldest === undefined || orderedAtOf(oldest) < since) break;
          to = numberOf(oldest) - 1;
        }
      }
      return ids.slice(0, count);
    },
  };
}

/** The figures of the runs of a range, in which times rise, that were created between these moments. */
async function countWithin(
  table: Table,
  { orgId, suiteId, range }: { orgId: string; suiteId: string; range: RunRange },
  { since, before }: { since: string; before: string },
): Promise<DayFigures> {
  let figures = NO_RUNS;
  for (let { first } = range; first <= range.last; first += RECOUNTED) {
    const last = Math.min(range.last, first + RECOUNTED - 1);
    const items = await table.query(runsBetween(orgId, suiteId, { first, last }));
    const within = items.filter(
      ({ created_at }) => String(created_at) >= since && String(created_at) < before,
    );
    for (const item of within.filter(isConclusive)) {
      figures = plus(figures, figuresOf(readRun(item, { suiteId, number: numberOf(item) })));
    }
    const newest = items.at(-1);
    if (newest !== undefined && orderedAtOf(newest) >= before) break;
  }
  return figures;
}

const figuresIn = (head: SuiteHead | undefined) => head && [dayOf(head.lastRunAt ?? ''), head.latestDay];

async function headNow(table: Table, orgId: string, { slug, projectId }: SuiteHead) {
  const item = await table.get(suiteHeadKey(orgId, slug, projectId));
  return item && readHead(item);
}

/** The sums of each day's items, the most recent first. */
function daysOf(items: readonly Item[], head?: SuiteHead): Day[] {
  const parts: Day[] = items.map((item) => ({
    date: String(item[SK]).split('#')[1] ?? '',
    figures: readFigures(item),
  }));
  if (head !== undefined) parts.push({ date: dayOf(head.lastRunAt ?? ''), figures: head.latestDay });
  const days = new Map<string, DayFigures>();
  for (const { date, figures } of parts) days.set(date, plus(days.get(date) ?? NO_RUNS, figures));
  return [...days]
    .map(([date, figures]) => ({ date, figures }))
    .toSorted((a, b) => (a.date < b.date ? 1 : -1));
}
