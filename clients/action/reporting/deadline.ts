import type { Runner } from '../job/runner.ts';

/** A GitHub that is slow holds no finished gate back. */
const REPORTING_MS = 60_000;

/** Reports have this time in all. */
export async function withinReportingTime(
  { environment }: Runner,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController();
  const message = `${REPORTING_MS / 1_000} s for reports are over.`;
  const cancel = environment.after(REPORTING_MS, () => limit.abort(new Error(message)));
  try {
    await act(limit.signal);
  } finally {
    cancel();
  }
}
