import { listCases as contract } from '../../shared/contracts/cases.ts';
import { casesWithOutcomes } from '../../shared/domain/runs/caseHistory.ts';
import { listCases } from '../../shared/domain/suites/cases.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { caseHistoryStore } from '../../shared/storage/runs/caseHistory.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: {
    chains: chainStore,
    projects: projectStore,
    suites: suiteStore,
    caseHistories: caseHistoryStore,
  },
  async handle({ principal, params, query }, deps) {
    const page = await listCases(deps, principal, params.suiteId, query);
    const isPlain = query.outcomes === undefined;
    const shown = isPlain ? page : await casesWithOutcomes(deps, principal, params.suiteId, page);
    return { status: 200, body: listed(shown, query) };
  },
});
