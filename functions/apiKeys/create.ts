import { createApiKey as contract } from '../../shared/contracts/credentials/apiKeys.ts';
import { createApiKey } from '../../shared/domain/accounts/keys.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { apiKeyStore } from '../../shared/storage/accounts/apiKeys.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  stores: { apiKeys: apiKeyStore, projects: projectStore },
  handle: async ({ principal, body }, deps) => {
    const created = await createApiKey(deps, principal, body);
    const { id, project_id, scope } = created;
    deps.log('info', 'api_key_created', { ...actorOf(principal), key_id: id, project_id, scope });
    return { status: 201, body: { data: created } };
  },
});
