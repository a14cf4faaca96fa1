import { deleteProject as contract } from '../../shared/contracts/projects.ts';
import { deleteProject } from '../../shared/domain/suites/projects.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore },
  handle: async ({ principal, params }, deps) => {
    await deleteProject(deps, principal, params.slug);
    return { status: 204 };
  },
});
