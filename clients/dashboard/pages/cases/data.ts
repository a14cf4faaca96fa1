import { signal } from '@preact/signals';
import { changesIn } from '../../../gate/report/review/baseline.ts';
import { type Case, type CasesListAnswer, EvalgateError, type Suite } from '../../../sdk/index.ts';
import { pageOf, type Query, useAnswer } from '../../kit/api.ts';
import { address } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { useBaselineComparison } from '../../parts/runs/data.ts';
import type { Changes } from '../../parts/runs/standing.ts';
import { casesKey, useCase } from '../../parts/save/data.ts';
import { PAGE_SIZE } from '../../parts/save/pages.ts';

/** With its latest outcome, where a page of cases is loaded and not all. */
export type ListedCase = CasesListAnswer;

/** What is loaded of a suite's cases, in their order. */
export interface Loaded {
  readonly cases: readonly ListedCase[];
  readonly total: number;
}

export const useCases = (suiteId: string | undefined, page: number): Query<Loaded> =>
  useAnswer(suiteId === undefined ? undefined : `${casesKey(suiteId)}?page=${page}`, async (sdk, options) => {
    const { data, pagination } = await pageOf(
      sdk.cases.list(suiteId ?? '', { page, pageSize: PAGE_SIZE, outcomes: 'latest' }, options),
    );
    return { cases: data, total: pagination?.total ?? data.length };
  });

/** How the listed cases that fail differ from the baseline; asked for where one does. */
export function useChanges({ baseline_id }: Suite, cases: readonly ListedCase[]): Changes {
  const failing = cases.flatMap(({ id: case_id, latest_outcome: latest }) =>
    latest?.passed === false ? [{ case_id, ...latest }] : [],
  );
  const run = baseline_id === null || originalKey() !== '' ? undefined : failing[0]?.run_id;
  const { data } = useBaselineComparison(run);
  return (
    data &&
    changesIn(
      data,
      failing.filter(({ run_id }) => run_id === run),
    )
  );
}

/** The key of the case of which the address wants another one; empty where it wants none. */
export const originalKey = (): string => address.value.query.get('like') ?? '';

export function useOriginal(suiteId: string): Query<Case | null> {
  const key = originalKey();
  return useCase(key && may.value.edit ? suiteId : undefined, key);
}

/** How many are there while all are loaded. */
export const loadedCount = signal(0);

const WAIT_S = 5;

/** A page; where requests are limited, once they are no longer. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof EvalgateError) || error.status !== 429) throw error;
    await new Promise((resolve) => setTimeout(resolve, (error.retryAfterSeconds ?? WAIT_S) * 1_000));
    signal.throwIfAborted();
    return patiently(ask, signal);
  }
}

export const useAllCases = (suiteId: string | undefined): Query<Loaded> =>
  useAnswer(suiteId === undefined ? undefined : `${casesKey(suiteId)}?all`, async (sdk, options) => {
    const cases = new Map<string, ListedCase>();
    for (let page = 1, hasMore = true; hasMore; page++) {
      const query = { page, pageSize: PAGE_SIZE };
      const answer = await patiently(
        () => pageOf(sdk.cases.list(suiteId ?? '', query, options)),
        options.signal,
      );
      for (const evalCase of answer.data) cases.set(evalCase.id, evalCase);
      loadedCount.value = cases.size;
      hasMore = answer.pagination?.hasMore === true;
    }
    return { cases: [...cases.values()], total: cases.size };
  });

/** Whether an advisory holds now. */
export const isAdvisory = ({ advisory }: Case): boolean =>
  advisory !== null && Date.parse(advisory.expires_at) > Date.now();

/** What its weight is a share of. */
export const gatingWeight = (cases: readonly Case[]): number =>
  cases.reduce(
    (sum, evalCase) => sum + (evalCase.is_active && !isAdvisory(evalCase) ? evalCase.weight : 0),
    0,
  );
