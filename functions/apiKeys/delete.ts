import { deleteApiKey as contract } from '../../shared/contracts/credentials/apiKeys.ts';
import { revokeApiKey } from '../../shared/domain/accounts/keys.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { apiKeyStore } from '../../shared/storage/accounts/apiKeys.ts';

export const handler = endpoint(contract, {
  stores: { apiKeys: apiKeyStore },
  handle: async ({ principal, params }, deps) => {
    await revokeApiKey(deps, principal, params.keyId);
    deps.log('info', 'api_key_revoked', { ...actorOf(principal), key_id: params.keyId });
    return { status: 204 };
  },
});
