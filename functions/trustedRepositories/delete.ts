import { deleteTrustedRepository } from '../../shared/contracts/trustedRepositories.ts';
import { distrustRepository } from '../../shared/domain/accounts/trustedRepositories.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { trustedRepositoryStore } from '../../shared/storage/accounts/trustedRepositories.ts';

export const handler = endpoint(deleteTrustedRepository, {
  stores: { trust: trustedRepositoryStore },
  handle: async ({ principal, params }, deps) => {
    await distrustRepository(deps, principal, params.repositoryId);
    deps.log('info', 'repository_distrusted', {
      org_id: principal.orgId,
      id: params.repositoryId,
      by: principal.credential,
    });
    return { status: 204 };
  },
});
