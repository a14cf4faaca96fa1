import { getProject } from '../../shared/contracts/projects.ts';
import { liveProject } from '../../shared/domain/suites/access/live.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(getProject, {
  stores: { projects: projectStore },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await liveProject(deps, principal, params.slug, 'read') },
  }),
});
