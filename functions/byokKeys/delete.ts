import { deleteByokKey as contract } from '../../shared/contracts/byokKeys.ts';
import { deleteByokKey } from '../../shared/domain/byok/keys.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { byokKeyStore } from '../../shared/storage/byokKeys.ts';

export const handler = endpoint(contract, {
  dependencies: ({ table, now }) => ({ byokKeys: byokKeyStore(table), now }),
  handle: async ({ principal, params }, deps) => {
    await deleteByokKey(deps, principal, params.keyId);
    return { status: 204 };
  },
});
