import { whoAmI } from '../../shared/contracts/auth.ts';
import { describeCaller } from '../../shared/domain/accounts/whoami.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accountStore } from '../../shared/storage/accounts/accounts.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(whoAmI, {
  stores: { projects: projectStore, accounts: (table, { now }) => accountStore(table, now) },
  handle: async ({ principal }, deps) => ({
    status: 200,
    body: { data: await describeCaller(deps, principal) },
  }),
});
