import { trySuite as contract } from '../../shared/contracts/results/suiteTrials.ts';
import { trySuite } from '../../shared/domain/runs/outputs/trySuite.ts';
import { createSuiteCache } from '../../shared/domain/runs/suiteCache.ts';
import { createAtOneMoment } from '../../shared/domain/suites/chains/atOneMoment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  dependencies: ({ table, now }) => {
    const suites = suiteReader(table);
    return {
      projects: projectReader(table),
      suites,
      chains: chainStore(table),
      atOneMoment: createAtOneMoment({ suites }),
      suiteCache: createSuiteCache(),
      now,
    };
  },
  handle: async ({ principal, params, body }, deps) => ({
    status: 200,
    body: { data: await trySuite(deps, principal, params.suiteId, body.output) },
  }),
});
