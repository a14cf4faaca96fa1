import { signal } from '@preact/signals';
import type { Case } from '../../../sdk/index.ts';
import { type Asked, pageOf, useAnswer } from '../../app/api.ts';
import { casesKey } from '../bar/data.ts';
import { PAGE_SIZE } from '../bar/pages.ts';

/** What is loaded of a suite's cases, in their order. */
export interface Loaded {
  readonly cases: readonly Case[];
  readonly total: number;
}

export const useCases = (suiteId: string | undefined, page: number): Asked<Loaded> =>
  useAnswer(suiteId === undefined ? undefined : `${casesKey(suiteId)}?page=${page}`, async (sdk, options) => {
    const { data, pagination } = await pageOf(
      sdk.cases.list(suiteId ?? '', { page, pageSize: PAGE_SIZE }, options),
    );
    return { cases: data, total: pagination?.total ?? data.length };
  });

/** How many are there while all are loaded. */
export const loadedCount = signal(0);

export const useAllCases = (suiteId: string | undefined): Asked<Loaded> =>
  useAnswer(suiteId === undefined ? undefined : `${casesKey(suiteId)}?all`, async (sdk, options) => {
    const cases: Case[] = [];
    for await (const evalCase of sdk.cases.list(suiteId ?? '', {}, options)) {
      cases.push(evalCase);
      if (cases.length % PAGE_SIZE === 0) loadedCount.value = cases.length;
    }
    return { cases, total: cases.length };
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
