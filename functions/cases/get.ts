import { getCase } from '../../shared/contracts/cases.ts';
import { liveCase } from '../../shared/domain/suites/access/live.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(getCase, {
  stores: { chains: chainStore, projects: projectStore, suites: suiteStore },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: (await liveCase(deps, principal, params.caseId, 'read')).evalCase },
  }),
});
