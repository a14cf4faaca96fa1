import type { ResultOutcome, RunResult } from '../../../contracts/results/results.ts';

export type FilteredResult = Pick<
  RunResult,
  'case_name' | 'key' | 'passed' | 'errored' | 'missing' | 'reason' | 'tags'
>;

export interface ResultFilter {
  readonly outcome?: ResultOutcome | undefined;
  readonly tag?: string | undefined;
  /** Literal, compared without regard to upper and lower case. */
  readonly q?: string | undefined;
}

/** The results that everything given holds for, in their order. */
export function filterResults<T extends FilteredResult>(
  results: readonly T[],
  { outcome, tag, q }: ResultFilter,
): T[] {
  const soughtText = q?.toLowerCase();
  return results.filter(
    (result) =>
      (outcome === undefined || HAS_OUTCOME[outcome](result)) &&
      (tag === undefined || result.tags.includes(tag)) &&
      (soughtText === undefined || textsOf(result).some((text) => text.toLowerCase().includes(soughtText))),
  );
}

/** As the figures of the run count: a case that is errored or missing failed, too. */
const HAS_OUTCOME: Readonly<Record<ResultOutcome, (result: FilteredResult) => boolean>> = {
  passed: ({ passed }) => passed,
  failed: ({ passed }) => !passed,
  errored: ({ errored }) => errored,
  missing: ({ missing }) => missing,
};

const textsOf = ({ case_name, key, reason }: FilteredResult): string[] => [case_name, key, reason];
