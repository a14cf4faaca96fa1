import { deleteOrganisation as contract } from '../../shared/contracts/organisation.ts';
import { deleteOrganisation } from '../../shared/domain/accounts/deletion.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accountStore } from '../../shared/storage/accounts/accounts.ts';
import { deletionStore } from '../../shared/storage/accounts/deletions.ts';

export const handler = endpoint(contract, {
  stores: { accounts: (table, { now }) => accountStore(table, now), deletions: deletionStore },
  handle: async ({ principal, body }, deps) => {
    const data = await deleteOrganisation(deps, principal, body.organisation);
    deps.log('info', 'organisation_deletion_begun', { ...actorOf(principal), ...data });
    return { status: 200, body: { data } };
  },
});
