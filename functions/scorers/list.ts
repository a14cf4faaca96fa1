import { listScorers } from '../../shared/contracts/scorers.ts';
import { liveProjectHead } from '../../shared/domain/access.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { scorerStore } from '../../shared/storage/suites/scorers.ts';

export const handler = endpoint(listScorers, {
  stores: { projects: projectStore, scorers: scorerStore },
  handle: async ({ principal, params, query }, deps) => {
    const project = await liveProjectHead(deps, principal, params.slug);
    const page = await deps.scorers.page(principal.orgId, project.id, query);
    return { status: 200, body: listed(page, query) };
  },
});
