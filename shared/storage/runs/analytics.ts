import { type DayFigures, figuresOf, NO_RUNS, plus } from '../../domain/analytics/figures.ts';
import type { AnalyticsStore } from '../../domain/analytics/ports.ts';
import { runId } from '../../domain/runs/ids.ts';
import type { SuiteHead } from '../../domain/suites/ports.ts';
import { dayOf } from '../../domain/time.ts';
import { readFigures } from '../suites/dayRollups.ts';
import { readHead } from '../suites/suiteHeads.ts';
import { dayRollupKey, SK, suiteHeadKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { isConclusive, readRun } from './runItems.ts';
import { numberOf, orderedAtOf, type RunRange, risingRanges, runsBetween, runsSince } from './runOrder.ts';

const RECOUNTED = 1_000;
const LOOKED_AT = 10;

export function analyticsStore(table: Table): AnalyticsStore {
  return {
    async days(orgId, head, from, to) {
      const { suiteId, lastRunAt, latestDay } = head;
      if (lastRunAt === null) return [];
      const latest = { date: dayOf(lastRunAt), figures: latestDay };
      const { pk, sk } = dayRollupKey(orgId, suiteId, from);
      const items = await table.query(
        { pk, between: [sk, dayRollupKey(orgId, suiteId, to).sk] },
        { newestFirst: true },
      );
      const days = items.map((item) => ({
        date: String(item[SK]).slice('DAY#'.length),
        figures: readFigures(item),
      }));
      const moved = days.find(({ date }) => date === latest.date);
      if (moved !== undefined) latest.figures = await withMoved(table, orgId, head, moved.figures);
      const others = days.filter(({ date }) => date !== latest.date);
      const all = latest.date >= from && latest.date <= to ? [latest, ...others] : others;
      return all.toSorted((a, b) => (a.date < b.date ? 1 : -1));
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
        for (let to = last; to >= first && ids.length < count; to -= LOOKED_AT) {
          const range = runsBetween(orgId, suiteId, { first: Math.max(first, to - LOOKED_AT + 1), last: to });
          const items = await table.query(range, { newestFirst: true });
          const found = items.filter((item) => String(item.created_at) >= since && isConclusive(item));
          ids.push(...found.map((item) => runId({ suiteId, number: numberOf(item) })));
          const oldest = items.at(-1);
          if (oldest === undefined || orderedAtOf(oldest) < since) break;
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
    if (newest === undefined || orderedAtOf(newest) >= before) break;
  }
  return figures;
}

/**
 * The figures of the head's day when an item of that day exists. Either the day moved from the head to the item
 * since the head was read, and the item has them all; or a wrong clock had moved it, and head and item have a part
 * each.
 */
async function withMoved(
  table: Table,
  orgId: string,
  head: SuiteHead,
  moved: DayFigures,
): Promise<DayFigures> {
  const item = await table.get(suiteHeadKey(orgId, head.slug, head.projectId));
  const now = item && readHead(item);
  const isBack = now?.lastRunAt != null && dayOf(now.lastRunAt) === dayOf(head.lastRunAt ?? '');
  return isBack ? plus(moved, now.latestDay) : moved;
}
