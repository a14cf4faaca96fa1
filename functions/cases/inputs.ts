import { listInputs as contract } from '../../shared/contracts/cases.ts';
import { listInputs } from '../../shared/domain/suites/inputs.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: { chains: chainStore, projects: projectStore, suites: suiteStore },
  async handle({ principal, params, query }, deps) {
    const { items, next } = await listInputs(deps, principal, params.suiteId, query.cursor);
    return { status: 200, body: { data: items, next_cursor: next } };
  },
});
