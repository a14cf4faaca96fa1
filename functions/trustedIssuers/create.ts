import { createTrustedRepository } from '../../shared/contracts/credentials/trustedRepositories.ts';
import { trustRepository } from '../../shared/domain/accounts/trustedRepositories.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { trustedRepositoryStore } from '../../shared/storage/accounts/trustedRepositories.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(createTrustedRepository, {
  stores: { trust: trustedRepositoryStore, projects: projectStore },
  handle: async ({ principal, body }, deps) => {
    const created = await trustRepository(deps, principal, body);
    deps.log('info', 'repository_trusted', { ...actorOf(principal), ...created });
    return { status: 201, body: { data: created } };
  },
});
