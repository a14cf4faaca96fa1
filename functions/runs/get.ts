import { getRun } from '../../shared/contracts/runs.ts';
import { liveRun } from '../../shared/domain/runs/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { runStore } from '../../shared/storage/runs/runs.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(getRun, {
  stores: { projects: projectStore, runs: (table, { newId }) => runStore(table, newId) },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await liveRun(deps, principal, params.runId) },
  }),
  runOf: ({ params }) => params.runId,
});
