import { type DayFigures, figuresOf, NO_RUNS, plus } from '../../domain/analytics/figures.ts';
import type { AnalyticsStore, Branch, Day, Recounted } from '../../domain/analytics/ports.ts';
import { runId } from '../../domain/runs/ids.ts';
import { readFigures } from '../suites/dayRollups.ts';
import { dayRollups, SK } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { isConclusive, isOfDefaultBranch, readRun } from './runItems.ts';
import { numberOf, orderedAtOf, type RunRange, runsBetween, runsSince } from './runOrder.ts';

const RECOUNTED = 1_000;
const LOOKED_AT = 10;

export function analyticsStore(table: Table): AnalyticsStore {
  return {
    async days(orgId, { suiteId }, { from, to, branch }) {
      return daysOf(await table.query(dayRollups(orgId, suiteId, from, to)), branch);
    },

    async recount(orgId, head, recounted) {
      const range = await runsSince(table, { orgId, head }, recounted.since);
      return countWithin(table, { orgId, suiteId: head.suiteId, range }, recounted);
    },

    async latestRuns(orgId, { suiteId, runCount }, since, count) {
      const ids: string[] = [];
      for (let last = runCount; last > 0 && ids.length < count; ) {
        const range = runsBetween(orgId, suiteId, { first: 1, last });
        const items = await table.query(range, { newestFirst: true, limit: LOOKED_AT, withExpired: true });
        const conclusive = items.filter((item) => String(item.created_at) >= since && isConclusive(item));
        ids.push(...conclusive.map((item) => runId({ suiteId, number: numberOf(item) })));
        const oldest = items.at(-1);
        if (oldest === undefined || orderedAtOf(oldest) < since) break;
        last = numberOf(oldest) - 1;
      }
      return ids.slice(0, count);
    },
  };
}

/** The figures of the runs of a range that were created between these moments. */
async function countWithin(
  table: Table,
  { orgId, suiteId, range }: { orgId: string; suiteId: string; range: RunRange },
  { since, before, branch }: Recounted,
): Promise<DayFigures> {
  const isCounted = (item: Item) => isConclusive(item) && (branch === undefined || isOfDefaultBranch(item));
  let figures = NO_RUNS;
  for (let { first } = range; first <= range.last; first += RECOUNTED) {
    const last = Math.min(range.last, first + RECOUNTED - 1);
    const items = await table.query(runsBetween(orgId, suiteId, { first, last }));
    const within = items.filter(
      ({ created_at }) => String(created_at) >= since && String(created_at) < before,
    );
    for (const item of within.filter(isCounted)) {
      figures = plus(figures, figuresOf(readRun(item, { suiteId, number: numberOf(item) })));
    }
    const newest = items.at(-1);
    if (newest !== undefined && orderedAtOf(newest) >= before) break;
  }
  return figures;
}

/** The sums of each day's items, the most recent first. */
function daysOf(items: readonly Item[], branch: Branch | undefined): Day[] {
  const days = new Map<string, DayFigures>();
  for (const item of items) {
    const date = String(item[SK]).split('#')[1] ?? '';
    days.set(date, plus(days.get(date) ?? NO_RUNS, readFigures(item, branch === undefined ? 'day' : 'main')));
  }
  return [...days]
    .map(([date, figures]) => ({ date, figures }))
    .toSorted((a, b) => (a.date < b.date ? 1 : -1));
}
