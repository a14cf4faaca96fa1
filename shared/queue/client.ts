import { SQSClient } from '@aws-sdk/client-sqs';

const REQUEST_TIMEOUT_MS = 5_000;

export interface QueueAddress {
  readonly url: string;
  /** Set on a laptop: any engine that speaks SQS's protocol. */
  readonly endpoint: string | undefined;
}

/** `waitSeconds`: how long the queue may hold back an answer (long polling). */
export function sqsClient(endpoint: string | undefined, { waitSeconds = 0 } = {}): SQSClient {
  return new SQSClient({
    ...(endpoint === undefined ? {} : { endpoint }),
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: waitSeconds * 1_000 + REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}
