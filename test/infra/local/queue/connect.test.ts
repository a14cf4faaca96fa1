import { expect, test } from '@jest/globals';
import { connectQueues } from '../../../../infra/local/queue/connect.ts';
import { findQueues } from '../../../../shared/queue/ensureQueues.ts';
import { startOwnQueues } from '../../../support/queues.ts';

test('on an external SQS engine the queue that QUEUE_URL names is used, and without it one is made', async () => {
  const { endpoint, runs, deadLetters, stop } = await startOwnQueues();
  const ownUrl = runs.url.replace(/[^/]+$/, 'evalgate-runs');
  const made = () =>
    findQueues(endpoint, ownUrl).then(
      () => true,
      (error) => error.name,
    );
  const named = await connectQueues({ sqs: { endpoint, queueUrl: runs.url } });
  expect([named.endpoint, named.runs.url, named.deadLetters.url]).toEqual([
    endpoint,
    runs.url,
    deadLetters.url,
  ]);
  expect(await made()).toBe('QueueDoesNotExist');
  await connectQueues({ sqs: { endpoint, queueUrl: undefined } });
  expect(await made()).toBe(true);
  await stop();
});
