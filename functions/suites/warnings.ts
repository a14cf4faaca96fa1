import { getSuiteWarnings } from '../../shared/contracts/suites.ts';
import { createSuiteCache } from '../../shared/domain/runs/suiteCache.ts';
import { suiteWarnings } from '../../shared/domain/runs/suiteWarnings.ts';
import { createAtOneMoment } from '../../shared/domain/suites/chains/atOneMoment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getSuiteWarnings, {
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
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: { warnings: await suiteWarnings(deps, principal, params.suiteId) } },
  }),
});
