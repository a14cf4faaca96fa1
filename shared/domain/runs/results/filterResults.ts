import type { ResultOutcome, RunResult } from '../../../contracts/runs.ts';

/** Results from before have no more than the document's fields. */
export interface FilteredResult extends Pick<RunResult, 'case_name' | 'passed' | 'reason' | 'scorer_output'> {
  readonly errored?: boolean | undefined;
  readonly missing?: boolean | undefined;
  readonly key?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

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
  const wanted = q?.toLowerCase();
  return results.filter(
    (result) =>
      (outcome === undefined || HAS_OUTCOME[outcome](result)) &&
      (tag === undefined || result.tags?.includes(tag) === true) &&
      (wanted === undefined || textsOf(result).some((text) => text.toLowerCase().includes(wanted))),
  );
}

/** As the figures of the run count: a case that is errored or missing failed, too. */
const HAS_OUTCOME: Readonly<Record<ResultOutcome, (result: FilteredResult) => boolean>> = {
  passed: ({ passed }) => passed,
  failed: ({ passed }) => !passed,
  errored: ({ errored, scorer_output }) => errored ?? scorer_output.error !== undefined,
  missing: ({ missing, scorer_output }) => missing ?? scorer_output.missing === true,
};

const textsOf = ({ case_name, key = '', reason }: FilteredResult): string[] => [case_name, key, reason];
