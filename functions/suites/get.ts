import { getSuite } from '../../shared/contracts/suites.ts';
import { liveSuiteBySlug } from '../../shared/domain/suites/access/live.ts';
import { shownSuite } from '../../shared/domain/suites/shownSuite.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { latestRunStore } from '../../shared/storage/runs/latestRuns.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(getSuite, {
  stores: { latestRuns: latestRunStore, projects: projectStore, suites: suiteStore },
  async handle({ principal, params }, deps) {
    const suite = await liveSuiteBySlug(deps, principal, params, 'result');
    return { status: 200, body: { data: await shownSuite(deps, principal, suite) } };
  },
});
