import { type DayFigures, figuresOf, NO_RUNS, plus } from '../domain/analytics/figures.ts';
import type { AnalyticsStore } from '../domain/analytics/ports.ts';
import type { SuiteHead } from '../domain/ports.ts';
import { runId } from '../domain/runs/ids.ts';
import { dayOf } from '../domain/time.ts';
import { readFigures } from './dayRollups.ts';
import { dayRollupKey, SK, suiteHeadKey } from './keys.ts';
import { isConclusive, readRun } from './runItems.ts';
import { firstRunSince, numberOf, runsBetween } from './runPages.ts';
import { readHead } from './suiteHeads.ts';
import type { Table } from './table.ts';

/** So many runs are read at once. */
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
      const { suiteId } = head;
      const first = await firstRunSince(table, { orgId, head }, since);
      let figures = NO_RUNS;
      for (let from = first; from <= head.runCount; from += RECOUNTED) {
        const items = await table.query(runsBetween(orgId, suiteId, from, from + RECOUNTED - 1));
        const within = items.filter(({ created_at }) => String(created_at) < before);
        for (const item of within.filter(isConclusive)) {
          figures = plus(figures, figuresOf(readRun(item, { suiteId, number: numberOf(item) })));
        }
        if (within.length < RECOUNTED) break;
      }
      return figures;
    },

    async latestRuns(orgId, head, since, count) {
      const { suiteId } = head;
      const ids: string[] = [];
      for (let to = head.runCount; to >= 1 && ids.length < count; to -= LOOKED_AT) {
        const range = runsBetween(orgId, suiteId, Math.max(1, to - LOOKED_AT + 1), to);
        const items = await table.query(range, { newestFirst: true });
        const retained = items.filter(({ created_at }) => String(created_at) >= since);
        ids.push(...retained.filter(isConclusive).map((item) => runId({ suiteId, number: numberOf(item) })));
        if (retained.length === 0) break;
      }
      return ids.slice(0, count);
    },
  };
}

/**
 * The figures of the head's day, of which some lie in an item: either the day moved out of the head since it was read,
 * and the item has them all, or a clock that ran ahead had moved it out, and the suite came back to it.
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
