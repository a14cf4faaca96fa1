export const timestamp = (ms: number): string => new Date(ms).toISOString();

/** A clock that differs by more is wrong and is ignored. */
export const CLOCKS_DIFFER_MS_MAX = 5 * 60_000;

/** Never before `previous`, as clocks differ; but one clock that is far ahead must not shift all times. */
export function notBefore(previous: string, ms: number): string {
  const aheadMs = Date.parse(previous) - ms;
  return aheadMs > 0 && aheadMs <= CLOCKS_DIFFER_MS_MAX ? previous : timestamp(ms);
}

export const MINUTE_MS = 60_000;
export const DAY_SECONDS = 86_400;
export const DAY_MS = DAY_SECONDS * 1_000;

/** The day in UTC: `2026-11-21`. */
export const dayOf = (time: string): string => time.slice(0, 10);

export const monthOf = (time: string): string => time.slice(0, 7);
