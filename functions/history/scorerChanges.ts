import { listScorerChanges } from '../../shared/contracts/history/history.ts';
import { scorerHistory } from '../../shared/domain/history/scorerHistory.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';

export const handler = endpoint(listScorerChanges, {
  stores: { projects: projectReader, chains: chainStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await scorerHistory(deps, principal, params.scorerId, query), query),
  }),
});
