import { deleteByokKey as contract } from '../../shared/contracts/credentials/byokKeys.ts';
import { deleteByokKey } from '../../shared/domain/byok/keys.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { byokKeyStore } from '../../shared/storage/accounts/byokKeys.ts';

export const handler = endpoint(contract, {
  stores: { byokKeys: byokKeyStore },
  handle: async ({ principal, params }, deps) => {
    await deleteByokKey(deps, principal, params.keyId);
    deps.log('info', 'byok_key_revoked', { ...actorOf(principal), key_id: params.keyId });
    return { status: 204 };
  },
});
