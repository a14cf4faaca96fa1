import { listRegressions } from '../../shared/contracts/analytics.ts';
import { regressionsOfSuite } from '../../shared/domain/analytics/regressions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { analyticsStore } from '../../shared/storage/runs/analytics.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(listRegressions, {
  stores: {
    projects: projectReader,
    suites: suiteReader,
    chains: chainStore,
    runs: runReader,
    analytics: analyticsStore,
  },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await regressionsOfSuite(deps, principal, params.suiteId) },
  }),
});
