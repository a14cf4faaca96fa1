import { useEffect } from 'preact/hooks';
import type { Run, RunResult } from '../../../sdk/index.ts';
import { forget, pageOf, useAnswer } from '../../kit/api.ts';

const LOOKS_MS = [2_000, 3_000, 5_000, 8_000];
const LATER_MS = 15_000;
export const RESULTS_PAGE_SIZE = 100;

/** Asked again while it is pending. */
export function useRun(id: string) {
  const query = useAnswer(
    `runs/${id}`,
    (sdk, options) => sdk.runs.get(id, options),
    (run: Run, looks) => (run.status === 'pending' ? (LOOKS_MS[looks] ?? LATER_MS) : undefined),
  );
  const isPending = query.data?.status === 'pending';
  useEffect(() => {
    // What was asked while it was pending lacks what came since.
    return isPending ? () => forget(`runs/${id}/`) : undefined;
  }, [id, isPending]);
  return query;
}

/** Beside the baseline that the run was judged with, else the current one. */
export const useBaselineComparison = (run: string | undefined) =>
  useAnswer(run && `runs/${run}/comparison`, (sdk, options) => sdk.comparisons.get(run ?? '', {}, options));

export const resultsKey = (run: string, fields: object): string =>
  `runs/${run}/results?${new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, `${value}`]))}`;

/** A case by its key, wherever in the run it is; null: the run has none of it. */
export function useRunResult(run: string, key: string | undefined) {
  return useAnswer(key && resultsKey(run, { case: key }), async (sdk, options): Promise<RunResult | null> => {
    const matching = sdk.runs.results(run, { q: key, page: 1, pageSize: RESULTS_PAGE_SIZE }, options);
    for await (const result of matching) if (result.key === key) return result;
    return null;
  });
}

/** Which runs of a suite. */
export interface RunFilter {
  readonly branch?: string | undefined;
  readonly pull_request?: string | undefined;
}

const PENDING_AGAIN_MS = 20_000;
/** So many tell how the default branch and the pull requests stand, too. */
const RUNS_PAGE_SIZE = 100;

/** Asked again while one of them has no verdict. */
export const useRuns = (suite: string, page: number, filter: RunFilter) =>
  useAnswer(
    `suites/${suite}/runs?${JSON.stringify([page, filter])}`,
    (sdk, options) => pageOf(sdk.runs.list(suite, { page, pageSize: RUNS_PAGE_SIZE, ...filter }, options)),
    ({ data }) => (data.some(({ status }) => status === 'pending') ? PENDING_AGAIN_MS : undefined),
  );
