import { createByokKey as contract } from '../../shared/contracts/byokKeys.ts';
import { createByokKey } from '../../shared/domain/byok/keys.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { byokKeyStore } from '../../shared/storage/byokKeys.ts';
import { vaultFromConfig } from '../../shared/vault/fromConfig.ts';

export const handler = endpoint(contract, {
  dependencies: ({ config, table, now, newId }) => ({
    byokKeys: byokKeyStore(table),
    vault: vaultFromConfig(config),
    now,
    newId,
  }),
  handle: async ({ principal, body }, deps) => ({
    status: 201,
    body: { data: await createByokKey(deps, principal, body) },
  }),
});
