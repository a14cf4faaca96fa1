import { KMSClient } from '@aws-sdk/client-kms';

/** With timeouts, since callers wait for each call. */
export const createKmsClient = (endpoint: string | undefined): KMSClient =>
  new KMSClient({
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
