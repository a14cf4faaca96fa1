import type { ComparisonsGetAnswer, Run, RunResult } from '../../../sdk/index.ts';
import { pageOf, useAnswer } from '../../kit/api.ts';

type Cases = ComparisonsGetAnswer['cases'];
export type GroupName = keyof Cases;
type Changed = Cases['changed'][number];
/** Of `added` ones there is nothing before, of `missing` ones nothing after. */
export type ComparedCase = Partial<Changed> & Omit<Changed, 'baseline_score' | 'score' | 'reason' | 'why'>;

const PAGE_SIZE = 100;

/** Both have ended: one that is pending is compared with nothing. */
export const useComparison = (older: string, run: Run | undefined) =>
  useAnswer(
    run && run.status !== 'pending' ? `runs/${run.id}/comparison?baseline=${older}` : undefined,
    (sdk, options) => sdk.comparisons.get(run?.id ?? '', { baseline: older }, options),
  );

export type Texts = ReadonlyMap<string, RunResult>;

/** As far as it is shown. */
const shownIn = ({ scorer_output }: RunResult, name: string): string | undefined => {
  const value = scorer_output.truncated ? undefined : scorer_output[name];
  if (value == null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** What was answered: of an exact match its scorer quotes it, whatever is kept. */
export const textOf = (result: RunResult | undefined): string | undefined =>
  result && (result.output_excerpt ?? result.trace_excerpt ?? shownIn(result, 'actual'));

export const expectedOf = (result: RunResult | undefined): string | undefined =>
  result && (result.expected_excerpt ?? shownIn(result, 'expected'));

/** The gravest results of a run, by the ids of cases; `isRequested`: the comparison has cases to show. */
export const useTexts = (run: string, isRequested: boolean) =>
  useAnswer(
    isRequested ? `runs/${run}/results?for=comparison` : undefined,
    async (sdk, options): Promise<Texts> => {
      const { data } = await pageOf(sdk.runs.results(run, { page: 1, pageSize: PAGE_SIZE }, options));
      return new Map(data.map((result) => [result.case_id, result]));
    },
  );

export interface BothSides {
  /** The ids of the runs. */
  readonly older: string;
  readonly newer: string;
  /** Results by the ids of cases; undefined while they load. */
  readonly before: Texts | undefined;
  readonly after: Texts | undefined;
}
