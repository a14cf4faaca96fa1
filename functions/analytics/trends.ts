import { listTrends } from '../../shared/contracts/analytics.ts';
import { trendsOfSuite } from '../../shared/domain/analytics/trends.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { analyticsStore } from '../../shared/storage/runs/analytics.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(listTrends, {
  stores: { projects: projectStore, suites: suiteStore, analytics: analyticsStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: { data: await trendsOfSuite(deps, principal, params.suiteId, query) },
  }),
});
