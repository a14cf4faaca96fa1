import { comparedWithBaseline } from '../../../gate/report/review/baseline.ts';
import type { Comparison } from '../../../gate/report/review/changes.ts';
import type { Run, RunResult } from '../../../sdk/index.ts';
import { pageOf, useAnswer, write } from '../../kit/api.ts';
import { RESULTS_PAGE_SIZE, resultsKey } from '../../parts/runs/data.ts';
import { filterOf, type View } from './view.ts';

/** A page of the results that the view is about; nothing is asked for a page of 0. */
export function useResults(run: string, view: View, pageSize = RESULTS_PAGE_SIZE) {
  const query = { ...filterOf(view), page: view.page, pageSize };
  return useAnswer(pageSize > 0 ? resultsKey(run, query) : undefined, (sdk, options) =>
    pageOf(sdk.runs.results(run, query, options)),
  );
}

interface Since {
  readonly comparison: Comparison | undefined;
  /** The first run of the baseline. */
  readonly baselineRun: string | undefined;
}

/** What got worse since the baseline that the run was judged with. */
export function useComparison(run: Run, results: readonly RunResult[]): Since {
  const { data } = useAnswer(run.comparison ? `runs/${run.id}/comparison` : undefined, (sdk, options) =>
    sdk.comparisons.get(run.id, {}, options),
  );
  return { comparison: comparedWithBaseline(run, results, data), baselineRun: data?.baseline.run_ids[0] };
}

/** All that the view is about, in one answer: pages of a large run would exceed the rate limit. */
export const everything = (run: string, view: View) =>
  write((sdk) => pageOf(sdk.runs.results(run, filterOf(view))));
