import { getCaseHistory } from '../../shared/contracts/results/caseHistory.ts';
import { historyOfCase } from '../../shared/domain/runs/caseHistory.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { caseHistoryStore } from '../../shared/storage/runs/caseHistory.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getCaseHistory, {
  stores: {
    projects: projectReader,
    suites: suiteReader,
    chains: chainStore,
    caseHistories: caseHistoryStore,
  },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: await historyOfCase(deps, principal, params.caseId, query),
  }),
});
