import { listProjectChanges } from '../../shared/contracts/history/history.ts';
import { projectLog } from '../../shared/domain/history/projectLog.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { logReader } from '../../shared/storage/lists/logReader.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';

export const handler = endpoint(listProjectChanges, {
  stores: { projects: projectReader, chains: chainStore, changeLog: logReader },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await projectLog(deps, principal, params.slug, query), query),
  }),
});
