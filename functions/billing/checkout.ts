import { billingLog } from '../../shared/billing/billingLog.ts';
import { paymentsFromConfig } from '../../shared/billing/fromConfig.ts';
import { createCheckout as contract } from '../../shared/contracts/billing.ts';
import { startCheckout } from '../../shared/domain/billing/checkout.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { baseUrlFromEnv } from '../../shared/runtime/baseUrl.ts';
import { billingStore } from '../../shared/storage/billing/billing.ts';
import { overageStore } from '../../shared/storage/billing/overageReports.ts';

export const handler = endpoint(contract, {
  stores: { billing: billingStore, overage: overageStore },
  dependencies: ({ config, log, now }) => ({
    payments: paymentsFromConfig(config, log),
    queue: queueFromConfig(config),
    record: billingLog({ log, now, config }),
    baseUrl: () => baseUrlFromEnv(process.env),
  }),
  handle: async ({ principal, body }, deps) => ({
    status: 200,
    body: { checkout_url: await startCheckout(deps, principal, body) },
  }),
});
