import type { Case, CasesHistoryAnswer, CasesListAnswer, RunResult, Scorer } from '../../../sdk/index.ts';
import { ours, pageOf, type Query, useAnswer } from '../../kit/api.ts';
import { casesKey } from '../../parts/save/data.ts';
import { PAGE_SIZE } from '../../parts/save/pages.ts';

const RUNS = 30;

export type Outcome = CasesHistoryAnswer['data'][number];

/** With its latest outcome. Null: the suite has none with this key. */
export const useCase = (suite: string | undefined, key: string): Query<CasesListAnswer | null> =>
  useAnswer(suite && `${casesKey(suite)}?outcomes&key=${encodeURIComponent(key)}`, async (sdk, options) => {
    const { data } = await pageOf(sdk.cases.list(suite ?? '', { key, outcomes: 'latest' }, options));
    return data[0] ?? null;
  });

export const useHistory = (evalCase: Case, isNeeded: boolean): Query<CasesHistoryAnswer> =>
  useAnswer(isNeeded ? `${casesKey(evalCase.suite_id)}/${evalCase.id}/history` : undefined, (sdk, options) =>
    ours(sdk.cases.history(evalCase.id, { limit: RUNS }, options), 'data'),
  );

/** Without its input, which the page shows. Null: the run keeps none. */
export const useFailure = (run: string | undefined, key: string): Query<RunResult | null> =>
  useAnswer(run && `runs/${run}/results?failed=${encodeURIComponent(key)}`, async (sdk, options) => {
    const query = { q: key, outcome: 'failed', page: 1, pageSize: PAGE_SIZE } as const;
    const { data } = await pageOf(sdk.runs.results(run ?? '', query, options));
    const matching = data.find((result) => result.key === key);
    if (matching === undefined) return null;
    const { input_excerpt: _, ...shown } = matching;
    return shown;
  });

export const useScorer = (id: string): Query<Scorer> =>
  useAnswer(`scorers/${id}`, (sdk, options) => sdk.scorers.get(id, options));
