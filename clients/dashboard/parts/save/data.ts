import type { Case, Scorer, Suite } from '../../../sdk/index.ts';
import { pageOf, type Query, useAnswer } from '../../kit/api.ts';
import { PAGE_SIZE } from './pages.ts';

/** What pages of a project's bar share. Beginnings of keys, for what writes touch. */
export const suiteKey = (project: string, suite: string): string => `projects/${project}/suites/${suite}`;
export const suitesKey = (project: string): string => `projects/${project}/suites`;
export const scorersKey = (project: string): string => `projects/${project}/scorers`;
export const casesKey = (suiteId: string): string => `suites/${suiteId}/cases`;

const PENDING_AGAIN_MS = 20_000;

/** Asked again while its latest run has no verdict. */
export const useSuite = (project: string, slug: string): Query<Suite> =>
  useAnswer(
    suiteKey(project, slug),
    (sdk, options) => sdk.suites.get(project, slug, options),
    ({ latest_run: run }) => (run?.status === 'pending' ? PENDING_AGAIN_MS : undefined),
  );

/** The newest ones: for a list to choose from. */
export const useScorers = (project: string, isNeeded = true): Query<{ readonly data: Scorer[] }> =>
  useAnswer(isNeeded ? `${scorersKey(project)}?pageSize=${PAGE_SIZE}` : undefined, (sdk, options) =>
    pageOf(sdk.scorers.list(project, { pageSize: PAGE_SIZE }, options)),
  );

/** Null: the suite has none with this key. */
export const useCase = (suiteId: string | undefined, key: string): Query<Case | null> =>
  useAnswer(
    suiteId && `${casesKey(suiteId)}?key=${encodeURIComponent(key)}`,
    async (sdk, options) => (await pageOf(sdk.cases.list(suiteId ?? '', { key }, options))).data[0] ?? null,
  );

/** A suite, and the project that it belongs to. */
export interface SuiteProps {
  /** Its slug. */
  readonly project: string;
  readonly suite: Suite;
}
