/** ISO 8601 in UTC with milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();

/** Clocks that differ by more are wrong, and not to be followed. */
const CLOCKS_DIFFER_MS_MAX = 5 * 60_000;

/**
 * The time of what is written after something of `previous`: clocks differ, and writers overtake each other. A clock
 * that ran ahead once does not carry everything after it into the future.
 */
export function notBefore(previous: string, ms: number): string {
  const aheadMs = Date.parse(previous) - ms;
  return aheadMs > 0 && aheadMs <= CLOCKS_DIFFER_MS_MAX ? previous : timestamp(ms);
}

export const MINUTE_MS = 60_000;
export const DAY_SECONDS = 86_400;
export const DAY_MS = DAY_SECONDS * 1_000;

/** The day in UTC: `2026-11-21`. */
export const dayOf = (at: string): string => at.slice(0, 10);

/** The month a run counts in: `2026-11`. */
export const monthOf = (at: string): string => at.slice(0, 7);
