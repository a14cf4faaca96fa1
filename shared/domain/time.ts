/** ISO 8601 in UTC with milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();

/** When something last written at `before` is written now: clocks differ, and writers overtake each other. */
export const notBefore = (before: string, ms: number): string =>
  [before, timestamp(ms)].reduce((latest, at) => (at > latest ? at : latest));

export const DAY_MS = 86_400_000;

/** The month a run counts in: `2026-11`. */
export const monthOf = (at: string): string => at.slice(0, 7);
