import { loadFunction } from '../http/functions.ts';
import { type SweepHandler, startSweeper } from '../queue/sweeper.ts';

/** Tells the provider of runs beyond the plans, at once and then every minute. Answers how to stop that. */
export async function startOverageReports(): Promise<() => Promise<void>> {
  const reports = startSweeper(await loadFunction<SweepHandler>('billing/reportOverage'));
  return () => reports.stop();
}
