import { listRunResults } from '../../shared/contracts/runs.ts';
import { runResults } from '../../shared/domain/runs/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/projects.ts';
import { runStore } from '../../shared/storage/runs.ts';

export const handler = endpoint(listRunResults, {
  dependencies: ({ table, now, newId }) => ({
    projects: projectStore(table),
    runs: runStore(table, newId),
    now,
    newId,
  }),
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await runResults(deps, principal, params.runId) },
  }),
  runOf: ({ params }) => params.runId,
});
