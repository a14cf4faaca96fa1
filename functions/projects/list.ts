import { listProjects } from '../../shared/contracts/projects.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { projectStore } from '../../shared/storage/projects.ts';

export const handler = endpoint(listProjects, {
  dependencies: ({ table }) => ({ projects: projectStore(table) }),
  handle: async ({ principal, query }, { projects }) => ({
    status: 200,
    body: listed(await projects.page(principal.orgId, query), query),
  }),
});
