import type { BaselinesListAnswer, JudgedBar, Trend } from '../../../sdk/index.ts';

const DAY_MS = 86_400_000;
const STEP = 0.1;

interface Point {
  readonly trend: Trend;
  /** In percent of the chart, from the left and the top. */
  readonly x: number;
  readonly y: number;
  /** Whether the mean of the day reaches the bar of then. */
  readonly isGood: boolean;
  /** What changed on the day. */
  readonly changed: readonly ('bar' | 'baseline')[];
}

export interface Chart {
  /** From the oldest day on. */
  readonly points: readonly Point[];
  /** The bar, from left to right: so high from there on. */
  readonly steps: readonly { readonly x: number; readonly y: number }[];
  readonly marks: readonly { readonly x: number; readonly what: 'bar' | 'baseline' }[];
  /** The share at the bottom; 1 is at the top. */
  readonly lowest: number;
}

export interface Charted {
  readonly trends: readonly Trend[];
  readonly bars: readonly JudgedBar[];
  readonly baselines: readonly BaselinesListAnswer[];
  /** The suite's bar now. */
  readonly bar: number;
  /** How many days the chart has, today included. */
  readonly days: number;
}

const dayOf = (at: string): number => Math.floor(Date.parse(at) / DAY_MS);
const dateOf = (at: string): string => at.slice(0, 10);

/** Where each day is. The bar of before the first one known is that one. */
export function chartOf({ trends, bars, baselines, bar, days }: Charted, nowMs: number): Chart {
  const first = Math.floor(nowMs / DAY_MS) - days + 1;
  const xOf = (at: string): number => Math.max(0, ((dayOf(at) - first) / (days - 1)) * 100);
  const judged = bars.toSorted((one, other) => (one.first_run_at < other.first_run_at ? -1 : 1));
  const barAt = (date: string): number =>
    (judged.findLast(({ first_run_at: at }) => dateOf(at) <= date) ?? judged[0])?.pass_threshold ?? bar;
  const least = Math.min(bar, ...trends.flatMap((day) => [day.avg_pass_rate, barAt(day.date)]));
  const lowest = Math.max(0, Math.floor((least - STEP / 2) / STEP) * STEP);
  const yOf = (share: number): number => ((1 - share) / (1 - lowest)) * 100;
  const changes = {
    // The first of each is no change.
    bar: new Set(judged.slice(1).map(({ first_run_at: at }) => dateOf(at))),
    baseline: new Set(baselines.map(({ created_at: at }) => dateOf(at))),
  };
  const kinds = ['bar', 'baseline'] as const;
  const isSeen = (date: string): boolean => dayOf(date) >= first;
  return {
    points: trends
      .toSorted((one, other) => (one.date < other.date ? -1 : 1))
      .map((trend) => ({
        trend,
        x: xOf(trend.date),
        y: yOf(trend.avg_pass_rate),
        isGood: trend.avg_pass_rate >= barAt(trend.date),
        changed: kinds.filter((kind) => changes[kind].has(trend.date)),
      })),
    steps: [
      { x: 0, y: yOf(barAt(new Date(first * DAY_MS).toISOString().slice(0, 10))) },
      ...judged.flatMap(({ first_run_at: at, pass_threshold: share }) =>
        isSeen(at) ? [{ x: xOf(at), y: yOf(share) }] : [],
      ),
    ],
    marks: kinds.flatMap((what) => [...changes[what]].filter(isSeen).map((date) => ({ x: xOf(date), what }))),
    lowest,
  };
}
