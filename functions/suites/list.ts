import { listSuites as contract } from '../../shared/contracts/suites.ts';
import { shownSuites } from '../../shared/domain/suites/shownSuite.ts';
import { listSuites } from '../../shared/domain/suites/suites.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { latestRunStore } from '../../shared/storage/runs/latestRuns.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: { latestRuns: latestRunStore, projects: projectStore, suites: suiteStore },
  async handle({ principal, params, query }, deps) {
    const page = await listSuites(deps, principal, params.slug, query);
    return { status: 200, body: listed(await shownSuites(deps, principal, page), query) };
  },
});
