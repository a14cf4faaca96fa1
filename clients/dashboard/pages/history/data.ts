import { pageOf, useAnswer } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';
import { baselinesKey, changesKey } from '../../parts/baseline/data.ts';
import type { SuiteProps } from '../../parts/save/data.ts';

export interface DialogProps extends SuiteProps {
  readonly onClose: () => void;
}

const PAGE_SIZE = 20;

export const useBaselines = (suite: string, page: number, isNeeded = true) =>
  useAnswer(isNeeded ? `${baselinesKey(suite)}s?page=${page}` : undefined, (sdk, options) =>
    pageOf(sdk.baselines.list(suite, { page, pageSize: PAGE_SIZE }, options)),
  );

/** Of scope full: they quote cases that are gone. */
export const useChanges = (suite: string, page: number) =>
  useAnswer(may.value.administrate ? `${changesKey(suite)}?page=${page}` : undefined, (sdk, options) =>
    pageOf(sdk.history.suiteChanges(suite, { page, pageSize: PAGE_SIZE }, options)),
  );

export const useBars = (suite: string, page: number) =>
  useAnswer(`suites/${suite}/revisions?page=${page}`, (sdk, options) =>
    pageOf(sdk.history.revisions(suite, { page, pageSize: PAGE_SIZE }, options)),
  );

export const useDifference = (suite: string, digest: string) =>
  useAnswer(`suites/${suite}/revisions/${digest}/diff`, (sdk, options) =>
    sdk.history.diff(suite, digest, {}, options),
  );
