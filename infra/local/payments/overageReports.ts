import { loadFunction } from '../http/functions.ts';
import { type SweepHandler, startSweeper } from '../queue/sweeper.ts';

/** Reports overage to the provider, at once and then every minute. Returns the function that stops it. */
export async function startOverageReports(): Promise<() => Promise<void>> {
  const reports = startSweeper(await loadFunction<SweepHandler>('billing/reportOverage'));
  return () => reports.stop();
}
