import { listApiKeys as contract } from '../../shared/contracts/credentials/apiKeys.ts';
import { listApiKeys } from '../../shared/domain/accounts/keys.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { apiKeyStore } from '../../shared/storage/accounts/apiKeys.ts';

export const handler = endpoint(contract, {
  stores: { apiKeys: apiKeyStore },
  handle: async ({ principal, query }, deps) => ({
    status: 200,
    body: listed(await listApiKeys(deps, principal, query), query),
  }),
});
