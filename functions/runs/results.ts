import { listRunResults } from '../../shared/contracts/runs.ts';
import { pageOf } from '../../shared/domain/pageOf.ts';
import { runResults } from '../../shared/domain/runs/read.ts';
import { filterResults } from '../../shared/domain/runs/results/filterResults.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed, pageAsked } from '../../shared/http/pagination.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(listRunResults, {
  stores: {
    projects: projectReader,
    suites: suiteReader,
    chains: chainStore,
    runs: runReader,
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
