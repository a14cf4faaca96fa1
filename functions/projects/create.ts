import { createProject as contract } from '../../shared/contracts/projects.ts';
import { createProject } from '../../shared/domain/suites/projects.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore },
  handle: async ({ principal, body }, deps) => ({
    status: 201,
    body: { data: await createProject(deps, principal, body) },
  }),
});
