import { expect, test } from '@jest/globals';
import { connectQueues } from '../../../../infra/local/queue/connect.ts';
import { startOwnQueues } from '../../../support/queues.ts';

test('on an external SQS engine the queue that QUEUE_URL names is used, and without it one is made', async () => {
  const { endpoint, runs, deadLetters, stop } = await startOwnQueues();
  const made = async () => (await fetch(`${endpoint}/_fauxqs/queues/evalgate-runs`)).status;
  const named = await connectQueues({ sqs: { endpoint, queueUrl: runs.url } });
  expect([named.endpoint, named.runs.url, named.deadLetters.url]).toEqual([
    endpoint,
    runs.url,
    deadLetters.url,
  ]);
  expect(await made()).toBe(404);
  await connectQueues({ sqs: { endpoint, queueUrl: undefined } });
  expect(await made()).toBe(200);
  await stop();
});
