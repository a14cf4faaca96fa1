import { createByokKey as contract } from '../../shared/contracts/credentials/byokKeys.ts';
import { createByokKey } from '../../shared/domain/byok/keys.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { byokKeyStore } from '../../shared/storage/accounts/byokKeys.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { vaultFromConfig } from '../../shared/vault/fromConfig.ts';

export const handler = endpoint(contract, {
  stores: { byokKeys: byokKeyStore, projects: projectReader },
  dependencies: ({ config }) => ({ vault: vaultFromConfig(config) }),
  handle: async ({ principal, body }, deps) => {
    const created = await createByokKey(deps, principal, body);
    const { id: key_id, provider } = created;
    deps.log('info', 'byok_key_added', { ...actorOf(principal), key_id, provider });
    return { status: 201, body: { data: created } };
  },
});
