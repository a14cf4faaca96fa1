import { getHealth } from '../../shared/contracts/base/health.ts';
import { checkHealth } from '../../shared/domain/health.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { describeError } from '../../shared/runtime/log.ts';
import { tableAnswers } from '../../shared/storage/table/health.ts';

export const handler = endpoint(getHealth, {
  dependencies: ({ table, now, log }) => ({
    now,
    tableAnswers: tableAnswers(table, (error) => log('warn', 'health_check_failed', describeError(error))),
  }),
  handle: async (_, deps) => {
    const health = await checkHealth(deps);
    return { status: health.status === 'ok' ? 200 : 503, body: health };
  },
});
