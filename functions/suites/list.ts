import { listSuites as contract } from '../../shared/contracts/suites.ts';
import { listSuites } from '../../shared/domain/suites/suites.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore, suites: suiteStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await listSuites(deps, principal, params.slug, query), query),
  }),
});
