import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Waiting for a socket of the pool counts as connecting: a burst must not exhaust sockets or time. */
const AGENT = { keepAlive: true, maxSockets: 400 };
const REQUEST_HANDLER = {
  connectionTimeout: 5_000,
  requestTimeout: 5_000,
  // Without this option an unanswered request logs a warning and hangs.
  throwOnRequestTimeout: true,
  httpAgent: AGENT,
  httpsAgent: AGENT,
};

export function dynamoClient(endpoint: string | undefined): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: 6,
    requestHandler: REQUEST_HANDLER,
  });
  // The middleware copies each request and answer for a logger, and none is set.
  client.middlewareStack.remove('loggerMiddleware');
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
