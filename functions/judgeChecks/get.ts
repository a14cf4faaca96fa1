import { getCheck as contract } from '../../shared/contracts/judgeChecks.ts';
import { readCheck } from '../../shared/domain/judgeChecks/check.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { checkStore } from '../../shared/storage/judgeChecks/checks.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectReader, suites: suiteReader, checks: checkStore },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await readCheck(deps, principal, params.suiteId) },
  }),
});
