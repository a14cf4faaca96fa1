import { tryScorer as contract } from '../../shared/contracts/results/scorerTrials.ts';
import { tryScorer } from '../../shared/domain/runs/tryScorer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectReader, chains: chainStore },
  handle: async ({ principal, params, body }, deps) => ({
    status: 200,
    body: { data: await tryScorer(deps, principal, params.scorerId, body) },
  }),
});
