import { getBaseline } from '../../shared/contracts/baseline/baselines.ts';
import { currentBaseline } from '../../shared/domain/baseline/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { baselineStore } from '../../shared/storage/baseline/baselines.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getBaseline, {
  stores: { projects: projectReader, suites: suiteReader, baselines: baselineStore },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await currentBaseline(deps, principal, params.suiteId) },
  }),
});
