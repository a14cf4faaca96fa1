import { ours, pageOf, useAnswer } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';

const PENDING_AGAIN_MS = 20_000;

export const useProjects = (page: number) =>
  useAnswer(may.value.browse ? `projects?page=${page}` : undefined, (sdk, options) =>
    pageOf(sdk.projects.list({ page }, options)),
  );

/** Asked again while one of the runs shown has no verdict. */
export const useSuites = (project: string | undefined, page = 1) =>
  useAnswer(
    project === undefined ? undefined : `projects/${project}/suites?page=${page}`,
    (sdk, options) => pageOf(sdk.suites.list(project ?? '', { page }, options)),
    ({ data }) =>
      data.some((suite) => suite.latest_run?.status === 'pending') ? PENDING_AGAIN_MS : undefined,
  );

export const useUsage = () =>
  useAnswer(may.value.browse && may.value.seeUsage ? 'billing/usage' : undefined, (sdk, options) =>
    ours(sdk.billing.usage(options), 'plan'),
  );
