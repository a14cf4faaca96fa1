import type { Interval } from '../confidence.ts';

/** The first reason for which a case that both have is not compared. */
export type Change = 'KIND' | 'BAR' | 'ADVISORY' | 'JUDGE_DRIFT';

/** The lists of a comparison, in their order. */
export const LISTED_CLASSES = [
  'newly_failing',
  'newly_passing',
  'unstable',
  'changed',
  'added',
  'missing',
  'unjudged',
] as const;
export type ListedClass = (typeof LISTED_CLASSES)[number];

/** `alike`: compared, and neither newly failing nor newly passing. */
export type CaseClass = ListedClass | 'alike';

/** A case of the run, of the baseline, or of both. */
export interface ClassedCase {
  readonly class: CaseClass;
  /** Only of a changed one. */
  readonly why?: Change;
  /** It cannot be compared, and is assumed to be. */
  readonly isAssumed?: true;
  /** Among the run's cases. Undefined for a missing one. */
  readonly place: number | undefined;
  /** Among those of the baseline. Undefined for an added one. */
  readonly baselinePlace: number | undefined;
}

/** The compared cases include unstable ones. */
export type ComparisonCounts = Readonly<Record<ListedClass | 'compared', number>>;

/** The share of the weight that has to be compared, where the suite names none. */
export const MIN_COMPARABLE = 0.8;

export interface ComparedRates extends Interval {
  /** The mean of its runs. */
  readonly baseline: number;
  readonly run: number;
  /** The interval's bounds are of the difference. */
  readonly difference: number;
}

export interface WorseTest {
  readonly pValue: number;
  /** Null where the p-value is approximated. */
  readonly pValueExact: number | null;
  readonly informativeCases: number;
  /** The figures are approximate, and one case weighs too much for that. */
  readonly isTooUneven: boolean;
}

/** A run beside its baseline. */
export interface Comparison {
  /** Without those that are advisory in the run and in all of the baseline's runs. The run's cases come first, in their order. */
  readonly cases: readonly ClassedCase[];
  readonly counts: ComparisonCounts;
  /** The share of the gating weight that is compared. */
  readonly coverage: number;
  readonly comparable: boolean;
  readonly rates: ComparedRates;
  readonly test: WorseTest;
  /** The p-value if every tested case failed. */
  readonly leastPValue: number;
  /** The least real drop that would be seen four times in five. */
  readonly detectableDrop: number;
}
