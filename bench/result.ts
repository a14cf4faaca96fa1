/** The limit of a figure. The report lists the figures outside their bounds. */
export type Bound = { readonly atMost: number } | { readonly atLeast: number };

export interface Row {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly bound?: Bound;
}

export interface BenchResult {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** `smallest` takes each step once: it shows that a bench works, and its figures mean nothing. */
const SIZES = ['full', 'smallest'] as const;
export type Size = (typeof SIZES)[number];

export type Bench = (size: Size) => Promise<Row[]>;

/** A figure that could not be measured is outside its bound. */
export function holds({ value, bound }: Row): boolean {
  if (bound === undefined) return true;
  return 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
}

export function boundText(bound: Bound): string {
  return 'atMost' in bound ? `<= ${bound.atMost}` : `>= ${bound.atLeast}`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
