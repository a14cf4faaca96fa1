import { deleteProject as contract } from '../../shared/contracts/projects.ts';
import { deleteProject } from '../../shared/domain/suites/projects.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  dependencies: ({ table, now, newId }) => ({ projects: projectStore(table), now, newId }),
  handle: async ({ principal, params }, deps) => {
    await deleteProject(deps, principal, params.slug);
    return { status: 204 };
  },
});
