import { listSuiteChanges } from '../../shared/contracts/history/history.ts';
import { suiteChanges } from '../../shared/domain/history/changes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(listSuiteChanges, {
  stores: { projects: projectReader, suites: suiteReader, chains: chainStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await suiteChanges(deps, principal, params.suiteId, query), query),
  }),
});
