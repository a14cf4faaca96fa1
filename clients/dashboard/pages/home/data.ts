import { ours, pageOf, useAnswer } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';

export const useProjects = (page: number) =>
  useAnswer(may.value.browse ? `projects?page=${page}` : undefined, (sdk, options) =>
    pageOf(sdk.projects.list({ page }, options)),
  );

export const useUsage = () =>
  useAnswer(may.value.browse && may.value.seeUsage ? 'billing/usage' : undefined, (sdk, options) =>
    ours(sdk.billing.usage(options), 'plan'),
  );
