import { useEffect } from 'preact/hooks';
import { comparedWithBaseline } from '../../../gate/report/review/baseline.ts';
import type { Comparison } from '../../../gate/report/review/changes.ts';
import type { Run, RunResult } from '../../../sdk/index.ts';
import { forget, pageOf, useAnswer, write } from '../../kit/api.ts';
import { filterOf, type View } from './view.ts';

const LOOKS_MS = [2_000, 3_000, 5_000, 8_000];
const LATER_MS = 15_000;
const PAGE_SIZE = 100;

/** Asked again while it is pending. */
export function useRun(id: string) {
  const asked = useAnswer(
    `runs/${id}`,
    (sdk, options) => sdk.runs.get(id, options),
    (run: Run, looks) => (run.status === 'pending' ? (LOOKS_MS[looks] ?? LATER_MS) : undefined),
  );
  const isPending = asked.data?.status === 'pending';
  useEffect(() => {
    // What was asked while it was pending lacks what came since.
    return isPending ? () => forget(`runs/${id}/`) : undefined;
  }, [id, isPending]);
  return asked;
}

const nameOf = (run: string, fields: object): string =>
  `runs/${run}/results?${new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, `${value}`]))}`;

/** A page of the results that the view is about; nothing is asked for a page of 0. */
export function useResults(run: string, view: View, pageSize = PAGE_SIZE) {
  const query = { ...filterOf(view), page: view.page, pageSize };
  return useAnswer(pageSize > 0 ? nameOf(run, query) : undefined, (sdk, options) =>
    pageOf(sdk.runs.results(run, query, options)),
  );
}

/** A case by its key, wherever in the run it is; null: the run has none of it. */
export function useCase(run: string, key: string | undefined) {
  return useAnswer(key && nameOf(run, { case: key }), async (sdk, options): Promise<RunResult | null> => {
    const found = sdk.runs.results(run, { q: key, page: 1, pageSize: PAGE_SIZE }, options);
    for await (const result of found) if (result.key === key) return result;
    return null;
  });
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
