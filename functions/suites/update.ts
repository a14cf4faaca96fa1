import { updateSuite as contract } from '../../shared/contracts/suites.ts';
import { shownSuite } from '../../shared/domain/suites/shownSuite.ts';
import { updateSuite } from '../../shared/domain/suites/suites.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { latestRunStore } from '../../shared/storage/runs/latestRuns.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: { latestRuns: latestRunStore, chains: chainStore, projects: projectStore, suites: suiteStore },
  async handle({ principal, params, body }, deps) {
    const suite = await updateSuite(deps, principal, params, body);
    return { status: 200, body: { data: await shownSuite(deps, principal, suite) } };
  },
});
