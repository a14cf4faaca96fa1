import { listTrustedIssuers as contract } from '../../shared/contracts/credentials/trustedIssuers.ts';
import { listTrustedIssuers } from '../../shared/domain/issuers/trustedIssuers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { trustedIssuerStore } from '../../shared/storage/accounts/trustedIssuers.ts';

export const handler = endpoint(contract, {
  stores: { trust: trustedIssuerStore },
  handle: async ({ principal, query }, deps) => ({
    status: 200,
    body: listed(await listTrustedIssuers(deps, principal, query), query),
  }),
});
