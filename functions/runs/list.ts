import { listRuns } from '../../shared/contracts/runs.ts';
import { runsOfSuite } from '../../shared/domain/runs/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { waiverStore } from '../../shared/storage/baseline/waivers.ts';
import { filteredRunStore } from '../../shared/storage/runs/filteredRuns.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(listRuns, {
  stores: {
    projects: projectReader,
    runs: runReader,
    filteredRuns: filteredRunStore,
    waivers: waiverStore,
    suites: suiteReader,
  },
  async handle({ principal, params, query }, deps) {
    const { truncated, ...page } = await runsOfSuite(deps, principal, params.suiteId, query);
    return { status: 200, body: { ...listed(page, query), ...(truncated !== undefined && { truncated }) } };
  },
});
