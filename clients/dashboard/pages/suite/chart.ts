import type { Trend } from '../../../sdk/index.ts';

const DAY_MS = 86_400_000;
/** So that a few days are no cliff. */
const DAYS_MIN = 14;
const STEP = 0.1;

interface Point {
  readonly trend: Trend;
  /** In percent of the chart, from the left and the top. */
  readonly x: number;
  readonly y: number;
}

export interface Chart {
  /** From the oldest day on. */
  readonly points: readonly Point[];
  /** The share at the bottom; 1 is at the top. */
  readonly lowest: number;
  readonly heightOf: (share: number) => number;
}

const dayOf = (date: string): number => Date.parse(date) / DAY_MS;

/** Where each day stands. `bar` is seen, too. */
export function chartOf(trends: readonly Trend[], bar: number): Chart {
  const days = trends.toSorted((one, other) => dayOf(one.date) - dayOf(other.date));
  const least = Math.min(bar, ...days.map(({ avg_pass_rate: rate }) => rate));
  const lowest = Math.max(0, Math.floor((least - STEP / 2) / STEP) * STEP);
  const heightOf = (share: number): number => ((1 - share) / (1 - lowest)) * 100;
  const last = dayOf(days.at(-1)?.date ?? '');
  const span = Math.max(DAYS_MIN, last - dayOf(days[0]?.date ?? ''));
  const points = days.map((trend) => ({
    trend,
    x: 100 - ((last - dayOf(trend.date)) / span) * 100,
    y: heightOf(trend.avg_pass_rate),
  }));
  return { points, lowest, heightOf };
}
