import { deleteTrustedRepository } from '../../shared/contracts/credentials/trustedRepositories.ts';
import { distrustRepository } from '../../shared/domain/accounts/trustedRepositories.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { trustedRepositoryStore } from '../../shared/storage/accounts/trustedRepositories.ts';

export const handler = endpoint(deleteTrustedRepository, {
  stores: { trust: trustedRepositoryStore },
  handle: async ({ principal, params }, deps) => {
    await distrustRepository(deps, principal, params.repositoryId);
    deps.log('info', 'repository_distrusted', { ...actorOf(principal), id: params.repositoryId });
    return { status: 204 };
  },
});
