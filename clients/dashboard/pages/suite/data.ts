import type { SuitesWarningsAnswer } from '../../../sdk/index.ts';
import { useAnswer } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';

const DAYS = 90;

/** Whether its cases can judge one output. */
export const useTrial = (suite: string) =>
  useAnswer(may.value.edit ? `suites/${suite}/try` : undefined, (sdk, options) =>
    sdk.suites.try(suite, {}, options),
  );

export type BarWarning = SuitesWarningsAnswer['warnings'][number];

/** What is wrong with its bar. */
export const useWarnings = (suite: string) =>
  useAnswer(may.value.browse ? `suites/${suite}/warnings` : undefined, (sdk, options) =>
    sdk.suites.warnings(suite, options),
  );

export const useTrends = (suite: string) =>
  useAnswer(may.value.analyse ? `suites/${suite}/trends` : undefined, (sdk, options) =>
    sdk.analytics.trends(suite, { days: DAYS }, options),
  );

export const useRegressions = (suite: string) =>
  useAnswer(`suites/${suite}/regressions`, (sdk, options) => sdk.analytics.regressions(suite, options));

export const checkKey = (suite: string): string => `suites/${suite}/check`;
const CHECK_AGAIN_MS = 5_000;

/** Asked again while it is pending. */
export const useCheck = (suite: string) =>
  useAnswer(
    checkKey(suite),
    (sdk, options) => sdk.judgeChecks.get(suite, options),
    ({ status }) => (status === 'pending' ? CHECK_AGAIN_MS : undefined),
  );

/** `current`: its id, as the suite names it. */
export const useBaseline = (suite: string, current: string | null) =>
  useAnswer(current === null ? undefined : `suites/${suite}/baseline?is=${current}`, (sdk, options) =>
    sdk.baselines.get(suite, options),
  );
