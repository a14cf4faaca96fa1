import { listRuns } from '../../shared/contracts/runs.ts';
import { runsOfSuite } from '../../shared/domain/runs/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { waiverStore } from '../../shared/storage/bar/waivers.ts';
import { runStore } from '../../shared/storage/runs/runs.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(listRuns, {
  stores: {
    projects: projectStore,
    runs: (table, { newId }) => runStore(table, newId),
    waivers: waiverStore,
    suites: suiteStore,
  },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await runsOfSuite(deps, principal, params.suiteId, query), query),
  }),
});
