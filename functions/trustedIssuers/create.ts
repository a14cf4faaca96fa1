import { createTrustedIssuer } from '../../shared/contracts/credentials/trustedIssuers.ts';
import { trustIssuer } from '../../shared/domain/issuers/trustedIssuers.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readIssuers } from '../../shared/runtime/issuersConfig.ts';
import { signInStore } from '../../shared/storage/accounts/signIns.ts';
import { trustedIssuerStore } from '../../shared/storage/accounts/trustedIssuers.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { issuerTokensFromConfig } from '../../shared/tokens/fromConfig.ts';

export const handler = endpoint(createTrustedIssuer, {
  stores: { trust: trustedIssuerStore, projects: projectStore, signIns: signInStore },
  dependencies: (runtime) => ({
    issuerTokens: issuerTokensFromConfig(runtime),
    githubIssuer: readIssuers(runtime.config.variables).githubOidcIssuer,
  }),
  handle: async ({ principal, body }, deps) => {
    const created = await trustIssuer(deps, principal, body);
    deps.log('info', 'issuer_trusted', { ...actorOf(principal), ...created });
    return { status: 201, body: { data: created } };
  },
});
