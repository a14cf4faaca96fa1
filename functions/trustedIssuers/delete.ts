import { deleteTrustedIssuer } from '../../shared/contracts/credentials/trustedIssuers.ts';
import { distrustIssuer } from '../../shared/domain/issuers/trustedIssuers.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { trustedIssuerStore } from '../../shared/storage/accounts/trustedIssuers.ts';

export const handler = endpoint(deleteTrustedIssuer, {
  stores: { trust: trustedIssuerStore },
  handle: async ({ principal, params }, deps) => {
    await distrustIssuer(deps, principal, params.issuerId);
    deps.log('info', 'issuer_distrusted', { ...actorOf(principal), id: params.issuerId });
    return { status: 204 };
  },
});
