import { deleteCase as contract } from '../../shared/contracts/cases.ts';
import { deleteCase } from '../../shared/domain/suites/cases.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: { chains: chainStore, projects: projectStore, suites: suiteStore },
  handle: async ({ principal, params, query }, deps) => {
    await deleteCase(deps, principal, params.caseId, query);
    return { status: 204 };
  },
});
