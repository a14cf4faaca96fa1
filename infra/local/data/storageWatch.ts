import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { getHealth } from '../../../shared/contracts/base/health.ts';

export interface StorageWatch {
  /** Sees every answer of a function, and says of the health what only the writes show. */
  seen(
    functionId: string,
    answer: APIGatewayProxyStructuredResultV2,
  ): Promise<APIGatewayProxyStructuredResultV2>;
}

const STORAGE_FULL = 507;

/** After a write that the disk refused the service is not healthy until a probe is written. */
export function watchStorage(probe: () => Promise<void>): StorageWatch {
  let isRefused = false;
  return {
    async seen(functionId, answer) {
      if (answer.statusCode === STORAGE_FULL) isRefused = true;
      if (!isRefused || functionId !== getHealth.id) return answer;
      isRefused = await probe().then(
        () => false,
        () => true,
      );
      return isRefused ? unhealthy(answer) : answer;
    },
  };
}

function unhealthy(answer: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  if (!answer.body) return { ...answer, statusCode: 503 };
  const health = JSON.parse(answer.body);
  const services = { ...health.services, database: 'unavailable' };
  return { ...answer, statusCode: 503, body: JSON.stringify({ ...health, status: 'degraded', services }) };
}
