import { getSuite } from '../../shared/contracts/suites.ts';
import { liveSuiteBySlug } from '../../shared/domain/access.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(getSuite, {
  stores: { projects: projectStore, suites: suiteStore },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await liveSuiteBySlug(deps, principal, params) },
  }),
});
