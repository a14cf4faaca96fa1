import { listTrustedRepositories as contract } from '../../shared/contracts/credentials/trustedRepositories.ts';
import { listTrustedRepositories } from '../../shared/domain/accounts/trustedRepositories.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { trustedRepositoryStore } from '../../shared/storage/accounts/trustedRepositories.ts';

export const handler = endpoint(contract, {
  stores: { trust: trustedRepositoryStore },
  handle: async ({ principal, query }, deps) => ({
    status: 200,
    body: listed(await listTrustedRepositories(deps, principal, query), query),
  }),
});
