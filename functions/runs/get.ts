import { getRun } from '../../shared/contracts/runs.ts';
import { shownRun } from '../../shared/domain/runs/read.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { waiverStore } from '../../shared/storage/baseline/waivers.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getRun, {
  stores: {
    projects: projectReader,
    runs: runReader,
    waivers: waiverStore,
    suites: suiteReader,
  },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await shownRun(deps, principal, params.runId) },
  }),
  runOf: ({ params }) => params.runId,
});
