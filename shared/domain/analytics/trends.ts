import type { Trend } from '../../contracts/analytics.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';
import type { ProjectStore, SuiteStore } from '../suites/ports.ts';
import type { SuiteHead } from '../suites/stored.ts';
import { DAY_MS, dayOf, timestamp } from '../time.ts';
import { analysedSuite } from './access.ts';
import { averagePassRate, type DayFigures } from './figures.ts';
import type { AnalyticsStore, Branch, Day, Recounted } from './ports.ts';

interface Deps extends Ambient {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly analytics: AnalyticsStore;
}

/** The last `days` days in UTC, today included, as far as they have runs that are still retained. */
export async function trendsOfSuite(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  { days, branch }: { readonly days: number; readonly branch?: Branch | undefined },
): Promise<Trend[]> {
  const head = await analysedSuite(deps, principal, suiteId);
  const now = deps.now();
  const since = retainedSince(principal, now);
  const first = timestamp(now - (days - 1) * DAY_MS);
  const from = dayOf(since > first ? since : first);
  const { orgId } = principal;
  const storedDays = await deps.analytics.days(orgId, head, { from, to: dayOf(timestamp(now)), branch });
  const retained = await Promise.all(
    storedDays.map((day) => retainedPart(deps, { orgId, head, since, branch }, day)),
  );
  return retained.filter(({ figures }) => figures.runs > 0).map(trendOf);
}

interface RetainedDays extends Omit<Recounted, 'before'> {
  readonly orgId: string;
  readonly head: SuiteHead;
}

/** On the day in which retention ends, only its later runs count. */
async function retainedPart(
  { analytics }: Deps,
  { orgId, head, ...counted }: RetainedDays,
  day: Day,
): Promise<Day> {
  const begin = Date.parse(day.date);
  if (timestamp(begin) >= counted.since) return day;
  const figures = await analytics.recount(orgId, head, { ...counted, before: timestamp(begin + DAY_MS) });
  return { ...day, figures };
}

const trendOf = ({ date, figures }: { date: string; figures: DayFigures }): Trend => ({
  date,
  avg_pass_rate: averagePassRate(figures),
  cleared_count: figures.cleared,
  aborted_count: figures.runs - figures.cleared,
  total_runs: figures.runs,
});
