import { listOrganisationChanges } from '../../shared/contracts/history/history.ts';
import { organisationLog } from '../../shared/domain/history/projectLog.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { logReader } from '../../shared/storage/lists/logReader.ts';

export const handler = endpoint(listOrganisationChanges, {
  stores: { changeLog: logReader },
  handle: async ({ principal, query }, deps) => ({
    status: 200,
    body: listed(await organisationLog(deps, principal, query), query),
  }),
});
