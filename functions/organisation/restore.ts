import { restoreOrganisation as contract } from '../../shared/contracts/organisation.ts';
import { restoreOrganisation } from '../../shared/domain/accounts/deletion.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accountStore } from '../../shared/storage/accounts/accounts.ts';
import { deletionStore } from '../../shared/storage/accounts/deletions.ts';

export const handler = endpoint(contract, {
  stores: { accounts: (table, { now }) => accountStore(table, now), deletions: deletionStore },
  handle: async ({ principal }, deps) => {
    await restoreOrganisation(deps, principal);
    deps.log('info', 'organisation_restored', actorOf(principal));
    return { status: 204 };
  },
});
