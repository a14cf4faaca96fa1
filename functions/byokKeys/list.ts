import { listByokKeys as contract } from '../../shared/contracts/credentials/byokKeys.ts';
import { listByokKeys } from '../../shared/domain/byok/keys.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { byokKeyStore } from '../../shared/storage/accounts/byokKeys.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';

export const handler = endpoint(contract, {
  stores: { byokKeys: byokKeyStore, projects: projectReader },
  handle: async ({ principal, query }, deps) => ({
    status: 200,
    body: listed(await listByokKeys(deps, principal, query), query),
  }),
});
