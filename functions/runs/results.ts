import { listRunResults } from '../../shared/contracts/results/results.ts';
import { runResults } from '../../shared/domain/runs/read.ts';
import { filterResults } from '../../shared/domain/runs/results/filterResults.ts';
import { withBar } from '../../shared/domain/runs/results/shownBar.ts';
import { sortResults } from '../../shared/domain/runs/results/sortResults.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listedBy } from '../../shared/http/pagination.ts';
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
  dependencies: () => ({
    loadShownPrompt: async () => (await import('../../shared/judge/shownPrompt.ts')).shownPrompt,
  }),
  async handle({ principal, params, query }, deps) {
    const { run, results } = await runResults(deps, principal, params.runId);
    const worse = run.comparison?.newly_failing;
    const sorted = sortResults(filterResults(results, query), query.sort, worse);
    const body = listedBy(sorted, query);
    return { status: 200, body: { ...body, data: await withBar(deps, principal, run, body.data) } };
  },
  runOf: ({ params }) => params.runId,
});
