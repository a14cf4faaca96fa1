import { createSuiteFromTemplate as contract } from '../../shared/contracts/suites.ts';
import { newSuite } from '../../shared/domain/suites/shownSuite.ts';
import { createSuiteFromTemplate } from '../../shared/domain/templates/copyTemplate.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore, chains: chainStore, suites: suiteStore },
  handle: async ({ principal, params, body }, deps) => ({
    status: 201,
    body: { data: newSuite(await createSuiteFromTemplate(deps, principal, params.slug, body)) },
  }),
});
