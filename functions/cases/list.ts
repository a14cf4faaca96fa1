import { listCases } from '../../shared/contracts/cases.ts';
import { liveSuite } from '../../shared/domain/access.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { caseStore } from '../../shared/storage/suites/cases.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(listCases, {
  stores: { cases: caseStore, projects: projectStore, suites: suiteStore },
  handle: async ({ principal, params, query }, deps) => {
    const suite = await liveSuite(deps, principal, params.suiteId);
    const page = await deps.cases.page(principal.orgId, suite.id, query);
    return { status: 200, body: listed(page, query) };
  },
});
