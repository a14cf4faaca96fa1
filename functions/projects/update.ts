import { updateProject as contract } from '../../shared/contracts/projects.ts';
import { updateProject } from '../../shared/domain/suites/projects.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore },
  handle: async ({ principal, params, body }, deps) => ({
    status: 200,
    body: { data: await updateProject(deps, principal, params.slug, body) },
  }),
});
