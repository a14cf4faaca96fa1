import { getRun } from '../../shared/contracts/runs.ts';
import { shownRun } from '../../shared/domain/runs/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { waiverStore } from '../../shared/storage/bar/waivers.ts';
import { runStore } from '../../shared/storage/runs/runs.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getRun, {
  stores: {
    projects: projectStore,
    runs: (table, { newId }) => runStore(table, newId),
    waivers: waiverStore,
    suites: suiteReader,
  },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await shownRun(deps, principal, params.runId) },
  }),
  runOf: ({ params }) => params.runId,
});
