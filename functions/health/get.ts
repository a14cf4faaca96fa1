import { getHealth } from '../../shared/contracts/health.ts';
import { checkHealth } from '../../shared/domain/health.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { tableAnswers } from '../../shared/storage/health.ts';

export const handler = endpoint(getHealth, {
  dependencies: ({ table, now, log }) => ({ tableAnswers: tableAnswers(table, log), now }),
  handle: async (_, deps) => {
    const health = await checkHealth(deps);
    return { status: health.status === 'ok' ? 200 : 503, body: health };
  },
});
