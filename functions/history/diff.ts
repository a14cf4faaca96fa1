import { diffBars } from '../../shared/contracts/history/history.ts';
import { barDifference } from '../../shared/domain/history/barDifference.ts';
import { createAtOneMoment } from '../../shared/domain/suites/chains/atOneMoment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { judgedBarStore } from '../../shared/storage/suites/judgedBars.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(diffBars, {
  dependencies: ({ table }) => {
    const suites = suiteReader(table);
    return {
      projects: projectReader(table),
      suites,
      chains: chainStore(table),
      bars: judgedBarStore(table),
      atOneMoment: createAtOneMoment({ suites }),
    };
  },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: { data: await barDifference(deps, principal, { ...params, to: query.to }) },
  }),
});
