import { removeBaseline as contract } from '../../shared/contracts/baseline/baselines.ts';
import { removeBaseline } from '../../shared/domain/baseline/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectReader, suites: suiteReader, chains: chainStore },
  async handle({ principal, params }, deps) {
    await removeBaseline(deps, principal, params.suiteId);
    return { status: 204 };
  },
});
