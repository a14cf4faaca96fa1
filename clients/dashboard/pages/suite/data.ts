import type { SuitesWarningsAnswer } from '../../../sdk/index.ts';
import { pageOf, useAnswer } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';
import { useRuns } from '../../parts/runs/data.ts';
import { PAGE_SIZE } from '../../parts/save/pages.ts';

/** Whether its cases can judge one output. */
export const useTrial = (suite: string) =>
  useAnswer(`suites/${suite}/try`, (sdk, options) => sdk.suites.try(suite, {}, options));

export type BarWarning = SuitesWarningsAnswer['warnings'][number];

/** What is wrong with its bar. */
export const useWarnings = (suite: string) =>
  useAnswer(may.value.browse ? `suites/${suite}/warnings` : undefined, (sdk, options) =>
    sdk.suites.warnings(suite, options),
  );

/** Those that tell how the suite stands: of all branches. */
export const useLatestRuns = (suite: string) => useRuns(suite, 1, {});

/** By day, of the default branch. */
export const useTrends = (suite: string, days: number) =>
  useAnswer(`suites/${suite}/trends?${days}`, (sdk, options) =>
    sdk.analytics.trends(suite, { days, branch: 'default' }, options),
  );

/** What decides a verdict now, and how often it contradicted itself. */
export const useRevision = (suite: string) =>
  useAnswer(`suites/${suite}/revision`, (sdk, options) => sdk.suites.revision(suite, options));

/** The newest bars that judged, and the newest baselines: since when each was there. */
export const useBars = (suite: string) =>
  useAnswer(`suites/${suite}/revisions?all`, (sdk, options) =>
    pageOf(sdk.history.revisions(suite, { pageSize: PAGE_SIZE }, options)),
  );
export const useBaselines = (suite: string) =>
  useAnswer(`suites/${suite}/baselines?all`, (sdk, options) =>
    pageOf(sdk.baselines.list(suite, { pageSize: PAGE_SIZE }, options)),
  );

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
