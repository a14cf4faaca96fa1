import { listRunResults } from '../../shared/contracts/runs.ts';
import { pageOf } from '../../shared/domain/pageOf.ts';
import { runResults } from '../../shared/domain/runs/read.ts';
import { filterResults } from '../../shared/domain/runs/results/filterResults.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed, pageAsked } from '../../shared/http/pagination.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { runStore } from '../../shared/storage/runs/runs.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(listRunResults, {
  stores: {
    projects: projectStore,
    suites: suiteReader,
    chains: chainStore,
    runs: (table, { newId }) => runStore(table, newId),
  },
  async handle({ principal, params, query }, deps) {
    const results = filterResults(await runResults(deps, principal, params.runId), query);
    const page = pageAsked(query);
    return {
      status: 200,
      body: page === undefined ? { data: results } : listed(pageOf(results, page), page),
    };
  },
  runOf: ({ params }) => params.runId,
});
