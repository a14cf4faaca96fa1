import { deleteScorer as contract } from '../../shared/contracts/scorers.ts';
import { deleteScorer } from '../../shared/domain/suites/scorers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore, suites: suiteReader, chains: chainStore },
  handle: async ({ principal, params, query }, deps) => {
    await deleteScorer(deps, principal, params.scorerId, query);
    return { status: 204 };
  },
});
