import { listRegressions } from '../../shared/contracts/analytics.ts';
import { regressionsOfSuite } from '../../shared/domain/analytics/regressions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { analyticsStore } from '../../shared/storage/runs/analytics.ts';
import { runStore } from '../../shared/storage/runs/runs.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(listRegressions, {
  stores: {
    projects: projectStore,
    suites: suiteStore,
    chains: chainStore,
    runs: (table, { newId }) => runStore(table, newId),
    analytics: analyticsStore,
  },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await regressionsOfSuite(deps, principal, params.suiteId) },
  }),
});
