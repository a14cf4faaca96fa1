import { listRevisions } from '../../shared/contracts/history/history.ts';
import { judgedSuites } from '../../shared/domain/history/judgedSuites.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { judgedDigestStore } from '../../shared/storage/suites/judgedDigests.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(listRevisions, {
  stores: { projects: projectReader, suites: suiteReader, digests: judgedDigestStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await judgedSuites(deps, principal, params.suiteId, query), query),
  }),
});
