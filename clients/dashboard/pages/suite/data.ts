import type { Suite } from '../../../sdk/index.ts';
import { pageOf, useAnswer } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';
import type { RunFilter } from './RunFilter.tsx';

export { useSuite } from '../../parts/save/data.ts';

export interface SuiteProps {
  /** Its slug. */
  readonly project: string;
  readonly suite: Suite;
}

const PENDING_AGAIN_MS = 20_000;
const DAYS = 90;

/** Asked again while one of them has no verdict. */
export const useRuns = (suite: string, page: number, filter: RunFilter) =>
  useAnswer(
    `suites/${suite}/runs?${JSON.stringify([page, filter])}`,
    (sdk, options) => pageOf(sdk.runs.list(suite, { page, ...filter }, options)),
    ({ data }) => (data.some(({ status }) => status === 'pending') ? PENDING_AGAIN_MS : undefined),
  );

/** Whether its cases can judge one output. */
export const useTrial = (suite: string) =>
  useAnswer(may.value.edit ? `suites/${suite}/try` : undefined, (sdk, options) =>
    sdk.suites.try(suite, {}, options),
  );

export const useTrends = (suite: string) =>
  useAnswer(may.value.analyse ? `suites/${suite}/trends` : undefined, (sdk, options) =>
    sdk.analytics.trends(suite, { days: DAYS }, options),
  );

export const useRegressions = (suite: string) =>
  useAnswer(`suites/${suite}/regressions`, (sdk, options) => sdk.analytics.regressions(suite, options));

/** `current`: its id, as the suite names it. */
export const useBaseline = (suite: string, current: string | null) =>
  useAnswer(current === null ? undefined : `suites/${suite}/baseline?is=${current}`, (sdk, options) =>
    sdk.baselines.get(suite, options),
  );
