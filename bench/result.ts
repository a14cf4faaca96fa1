/** One figure. `bound` says what it must hold, in words: a bench prints, it does not judge. */
export interface Row {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly bound?: string;
}

export interface BenchResult {
  readonly name: string;
  readonly rows: readonly Row[];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
