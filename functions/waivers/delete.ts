import { deleteWaiver as contract } from '../../shared/contracts/baseline/waivers.ts';
import { revokeWaiver } from '../../shared/domain/baseline/waive.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { waiverStore } from '../../shared/storage/baseline/waivers.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  stores: {
    projects: projectReader,
    suites: suiteReader,
    chains: chainStore,
    waivers: waiverStore,
    runs: runReader,
  },
  async handle({ principal, params }, deps) {
    await revokeWaiver(deps, principal, params.runId);
    return { status: 204 };
  },
  runOf: ({ params }) => params.runId,
});
