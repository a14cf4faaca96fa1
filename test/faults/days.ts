import type { Run } from '../../shared/contracts/runs.ts';
import { type DayFigures, figuresOf, NO_RUNS, plus } from '../../shared/domain/analytics/figures.ts';
import { dayOf } from '../../shared/domain/time.ts';
import { analyticsStore } from '../../shared/storage/runs/analytics.ts';
import { isConclusive } from '../../shared/storage/runs/runItems.ts';
import { readHead } from '../../shared/storage/suites/suiteHeads.ts';
import { runKey, suiteHeadKey } from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import type { SuiteFixture } from './fixtures.ts';
import { Violation } from './simulation.ts';

/** The figures of a suite's days are those of its runs, wherever they were counted. */
export async function auditDays(
  table: Table,
  { suite, org }: Pick<SuiteFixture, 'suite' | 'org'>,
  runs: readonly Run[],
): Promise<void> {
  const item = await table.get(suiteHeadKey(org.orgId, suite.slug, org.project.id));
  if (item === undefined) throw new Violation('a suite without a head is listed');
  const days = await analyticsStore(table).days(org.orgId, readHead(item), {
    from: '2000-01-01',
    to: '2099-12-31',
    branch: undefined,
  });
  const stated = days.filter(({ figures }) => figures.runs > 0).map(({ date, figures }) => [date, figures]);
  const items = await table.query({ pk: runKey(org.orgId, suite.id, 1).pk, prefix: 'RUN#' });
  const wanted = new Map<string, DayFigures>();
  runs.toReversed().forEach((run, index) => {
    if (!isConclusive(items[index] ?? {})) return;
    const day = dayOf(run.created_at);
    wanted.set(day, plus(wanted.get(day) ?? NO_RUNS, figuresOf(run)));
  });
  // Clocks may part: the latest run need not be of the latest day.
  const latestFirst = [...wanted].sort(([one], [other]) => (one < other ? 1 : -1));
  const [isStated, isRequested] = [stated, latestFirst].map((figures) => JSON.stringify(figures));
  if (isStated !== isRequested)
    throw new Violation(`days are ${isStated}, and their runs say ${isRequested}`);
}
