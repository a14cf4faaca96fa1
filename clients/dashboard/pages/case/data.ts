import type { Case, CasesHistoryAnswer, RunResult, Scorer } from '../../../sdk/index.ts';
import { ours, pageOf, type Query, useAnswer } from '../../kit/api.ts';
import { casesKey } from '../../parts/save/data.ts';
import { PAGE_SIZE } from '../../parts/save/pages.ts';

const RUNS = 30;

export type Outcome = CasesHistoryAnswer['data'][number];

export const useHistory = (found: Case): Query<CasesHistoryAnswer> =>
  useAnswer(`${casesKey(found.suite_id)}/${found.id}/history`, (sdk, options) =>
    ours(sdk.cases.history(found.id, { limit: RUNS }, options), 'data'),
  );

/** Null: the run keeps none. */
export const useFailure = (run: string | undefined, key: string): Query<RunResult | null> =>
  useAnswer(run && `runs/${run}/results?failed=${encodeURIComponent(key)}`, async (sdk, options) => {
    const query = { q: key, outcome: 'failed', page: 1, pageSize: PAGE_SIZE } as const;
    const { data } = await pageOf(sdk.runs.results(run ?? '', query, options));
    return data.find((result) => result.key === key) ?? null;
  });

export const useScorer = (id: string | undefined): Query<Scorer> =>
  useAnswer(id && `scorers/${id}`, (sdk, options) => sdk.scorers.get(id ?? '', options));
