import { paymentsFromConfig } from '../../shared/billing/fromConfig.ts';
import { createPortal as contract } from '../../shared/contracts/billing.ts';
import { openPortal } from '../../shared/domain/billing/checkout.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { billingStore } from '../../shared/storage/billing/billing.ts';

export const handler = endpoint(contract, {
  stores: { billing: billingStore },
  dependencies: ({ config, log }) => ({ payments: paymentsFromConfig(config, log) }),
  handle: async ({ principal }, deps) => ({
    status: 200,
    body: { portal_url: await openPortal(deps, principal) },
  }),
});
