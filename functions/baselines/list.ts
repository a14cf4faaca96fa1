import { listBaselines as contract } from '../../shared/contracts/baseline/baselines.ts';
import { listBaselines } from '../../shared/domain/baseline/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { baselineStore } from '../../shared/storage/baseline/baselines.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectReader, suites: suiteReader, baselines: baselineStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await listBaselines(deps, principal, params.suiteId, query), query),
  }),
});
