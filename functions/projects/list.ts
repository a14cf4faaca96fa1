import { listProjects as contract } from '../../shared/contracts/projects.ts';
import { listProjects } from '../../shared/domain/suites/projects.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore },
  handle: async ({ principal, query }, deps) => ({
    status: 200,
    body: listed(await listProjects(deps, principal, query), query),
  }),
});
