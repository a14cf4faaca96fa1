import { listRuns } from '../../shared/contracts/runs.ts';
import { runsOfSuite } from '../../shared/domain/runs/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { waiverStore } from '../../shared/storage/bar/waivers.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(listRuns, {
  stores: {
    projects: projectReader,
    runs: runReader,
    waivers: waiverStore,
    suites: suiteReader,
  },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await runsOfSuite(deps, principal, params.suiteId, query), query),
  }),
});
