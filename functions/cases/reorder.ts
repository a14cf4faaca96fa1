import { reorderCases as contract } from '../../shared/contracts/cases.ts';
import { reorderCases } from '../../shared/domain/suites/caseOrder.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(contract, {
  stores: { chains: chainStore, projects: projectStore, suites: suiteStore },
  handle: async ({ principal, params, body }, deps) => ({
    status: 200,
    body: { data: await reorderCases(deps, principal, params.suiteId, body) },
  }),
  shorten: [
    ({ body, ...answer }) => ({
      ...answer,
      body: {
        data: body.data.map(({ id, suite_id, is_active, sort_order }) => ({
          id,
          suite_id,
          is_active,
          sort_order,
        })),
      },
    }),
  ],
});
