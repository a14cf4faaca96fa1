import { listCases as contract } from '../../shared/contracts/cases.ts';
import { listCases } from '../../shared/domain/suites/cases.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: { chains: chainStore, projects: projectStore, suites: suiteStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await listCases(deps, principal, params.suiteId, query), query),
  }),
});
