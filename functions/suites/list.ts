import { listSuites } from '../../shared/contracts/suites.ts';
import { liveProjectHead } from '../../shared/domain/access.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(listSuites, {
  stores: { projects: projectStore, suites: suiteStore },
  handle: async ({ principal, params, query }, deps) => {
    const project = await liveProjectHead(deps, principal, params.slug);
    const page = await deps.suites.page(principal.orgId, project.id, query);
    return { status: 200, body: listed(page, query) };
  },
});
