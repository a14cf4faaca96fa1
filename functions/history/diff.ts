import { diffBars } from '../../shared/contracts/history/history.ts';
import { judgedDifference } from '../../shared/domain/history/judgedDifference.ts';
import { createAtOneMoment } from '../../shared/domain/suites/chains/atOneMoment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { judgedDigestStore } from '../../shared/storage/suites/judgedDigests.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(diffBars, {
  dependencies: ({ table }) => {
    const suites = suiteReader(table);
    return {
      projects: projectReader(table),
      suites,
      chains: chainStore(table),
      digests: judgedDigestStore(table),
      atOneMoment: createAtOneMoment({ suites }),
    };
  },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: { data: await judgedDifference(deps, principal, { ...params, to: query.to }) },
  }),
});
