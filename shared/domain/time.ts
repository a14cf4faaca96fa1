/** ISO 8601 in UTC with milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();

/** The time of a change to what was last written at `previous`: clocks differ, and writers overtake each other. */
export function notBefore(previous: string, ms: number): string {
  const at = timestamp(ms);
  return at > previous ? at : previous;
}

export const DAY_MS = 86_400_000;

/** The day in UTC: `2026-11-21`. */
export const dayOf = (at: string): string => at.slice(0, 10);

/** The month a run counts in: `2026-11`. */
export const monthOf = (at: string): string => at.slice(0, 7);
