import { billingLog } from '../../shared/billing/billingLog.ts';
import { paymentsFromConfig } from '../../shared/billing/fromConfig.ts';
import { receiveWebhook as contract } from '../../shared/contracts/billing.ts';
import { receiveEvent } from '../../shared/domain/billing/webhook.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { billingStore } from '../../shared/storage/billing/billing.ts';

export const handler = endpoint(contract, {
  stores: { billing: billingStore },
  dependencies: ({ config, log, now }) => ({
    payments: paymentsFromConfig(config, log),
    queue: queueFromConfig(config),
    record: billingLog({ log, now, config }),
  }),
  handle: async ({ rawBody, headers }, deps) => {
    await receiveEvent(deps, { rawBody, signature: headers['stripe-signature'] });
    return { status: 200, body: { received: true } };
  },
});
