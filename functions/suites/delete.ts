import { deleteSuite as contract } from '../../shared/contracts/suites.ts';
import { deleteSuite } from '../../shared/domain/suites/suites.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  dependencies: ({ table, now, newId }) => ({
    projects: projectStore(table),
    suites: suiteStore(table),
    now,
    newId,
  }),
  handle: async ({ principal, params }, deps) => {
    await deleteSuite(deps, principal, params);
    return { status: 204 };
  },
});
