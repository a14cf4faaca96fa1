import { deleteScorer as contract } from '../../shared/contracts/scorers.ts';
import { deleteScorer } from '../../shared/domain/suites/scorers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { scorerStore } from '../../shared/storage/suites/scorers.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore, scorers: scorerStore },
  handle: async ({ principal, params }, deps) => {
    await deleteScorer(deps, principal, params.scorerId);
    return { status: 204 };
  },
});
