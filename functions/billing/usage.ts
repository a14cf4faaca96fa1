import { getUsage as contract } from '../../shared/contracts/billing.ts';
import { readUsage } from '../../shared/domain/billing/usage.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectUsageStore } from '../../shared/storage/billing/projectUsage.ts';

export const handler = endpoint(contract, {
  stores: { usage: projectUsageStore },
  handle: async ({ principal }, deps) => ({ status: 200, body: await readUsage(deps, principal) }),
});
