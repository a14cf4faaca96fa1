import { getScorer } from '../../shared/contracts/scorers.ts';
import { liveScorer } from '../../shared/domain/suites/access/live.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(getScorer, {
  stores: { projects: projectStore, chains: chainStore },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await liveScorer(deps, principal, params.scorerId, 'read') },
  }),
});
