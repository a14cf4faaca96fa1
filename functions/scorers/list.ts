import { listScorers as contract } from '../../shared/contracts/scorers.ts';
import { listScorers } from '../../shared/domain/suites/scorers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore, chains: chainStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await listScorers(deps, principal, params.slug, query), query),
  }),
});
