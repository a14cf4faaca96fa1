import { createProject as contract } from '../../shared/contracts/projects.ts';
import { createProject } from '../../shared/domain/suites/projects.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  dependencies: ({ table, now, newId }) => ({ projects: projectStore(table), now, newId }),
  handle: async ({ principal, body }, deps) => ({
    status: 201,
    body: { data: await createProject(deps, principal, body) },
  }),
});
