import { startCheck as contract } from '../../shared/contracts/judgeChecks.ts';
import { startCheck } from '../../shared/domain/judgeChecks/check.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { checkStore } from '../../shared/storage/judgeChecks/checks.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectReader, suites: suiteReader, checks: checkStore },
  dependencies: ({ config }) => ({ queue: queueFromConfig(config) }),
  handle: async ({ principal, params }, deps) => ({
    status: 202,
    body: { data: await startCheck(deps, principal, params.suiteId) },
  }),
});
