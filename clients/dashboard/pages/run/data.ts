import { comparedWithBaseline } from '../../../gate/report/review/baseline.ts';
import type { ComparisonsGetAnswer, Run, RunResult } from '../../../sdk/index.ts';
import { pageOf, type Query, useAnswer, write } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';
import { RESULTS_PAGE_SIZE, resultsKey, useBaselineComparison } from '../../parts/runs/data.ts';
import type { Changes } from '../../parts/runs/standing.ts';
import { filterOf, type View } from './view.ts';

/** A page of the results that the view is about; without a run nothing is requested. */
export function useResults(run: string | undefined, view: View) {
  const query = { ...filterOf(view), page: view.page, pageSize: RESULTS_PAGE_SIZE };
  return useAnswer(run && resultsKey(run, query), (sdk, options) =>
    pageOf(sdk.runs.results(run ?? '', query, options)),
  );
}

/** The suite did not show them when the run was accepted, and this credential may not read its bar. */
export const areHidden = ({ results_hidden }: Run): boolean => results_hidden === true && !may.value.browse;

interface Since extends Omit<Query<ComparisonsGetAnswer>, 'data'> {
  /** Of newly failing cases before the comparison is there. */
  readonly changes: Changes;
  readonly comparisonAnswer: ComparisonsGetAnswer | undefined;
}

/** What got worse since the baseline that the run was judged with. */
export function useComparison(run: Run, results: readonly RunResult[]): Since {
  const { data: comparisonAnswer, ...query } = useBaselineComparison(run.comparison ? run.id : undefined);
  return {
    ...query,
    changes: comparedWithBaseline(run, results, comparisonAnswer)?.changes,
    comparisonAnswer,
  };
}

/** All that the view is about, in one answer: pages of a large run would exceed the rate limit. */
export const everything = (run: string, view: View) =>
  write((sdk) => pageOf(sdk.runs.results(run, filterOf(view))));

/** The signed proof of a cleared run. */
export const statementOf = (run: string) => write((sdk) => sdk.runs.statement(run));
