import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BatchResultErrorEntry,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { CountedQueue, WorkMessage } from '../domain/messages.ts';
import { type QueueAddress, sqsClient } from './client.ts';
import { writeMessage } from './messages.ts';

const BATCH_MAX = 10;
const ATTEMPTS_MAX = 4;
const BACKOFF_MS = 100;

/** After a send that throws, some messages may be in the queue: sending them again does no harm. */
export function sqsQueue({ url, endpoint }: QueueAddress): CountedQueue {
  const client = sqsClient(endpoint);
  return {
    async send(messages, delaySeconds = 0) {
      const entries = messages.map((message, index) => entryOf(message, index, delaySeconds));
      for (let start = 0; start < entries.length; start += BATCH_MAX) {
        await sendBatch(client, url, entries.slice(start, start + BATCH_MAX));
      }
    },

    async isEmpty() {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['ApproximateNumberOfMessages'] }),
      );
      return Attributes?.ApproximateNumberOfMessages === '0';
    },
  };
}

function entryOf(message: WorkMessage, index: number, delaySeconds: number): SendMessageBatchRequestEntry {
  return {
    Id: String(index),
    MessageBody: writeMessage(message),
    DelaySeconds: delaySeconds,
    // Makes a standard queue a fair one: an organisation's backlog does not delay the others.
    MessageGroupId: message.org_id,
  };
}

/** SQS accepts or refuses each message of a batch on its own. */
async function sendBatch(
  client: SQSClient,
  url: string,
  batch: readonly SendMessageBatchRequestEntry[],
): Promise<void> {
  let pending = batch;
  for (let attempt = 1; ; attempt++) {
    const answer = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: [...pending] }));
    const refused = refusedOf(answer.Failed, pending, answer.Successful?.length ?? 0);
    if (refused.length === 0) return;
    const final = refused.find(({ SenderFault }) => SenderFault === true);
    if (final !== undefined || attempt === ATTEMPTS_MAX) throw notTaken(final ?? refused[0], refused.length);
    const again = new Set(refused.map(({ Id }) => Id));
    pending = pending.filter(({ Id }) => again.has(Id));
    await sleep(Math.random() * BACKOFF_MS * 2 ** attempt);
  }
}

function refusedOf(
  failed: readonly BatchResultErrorEntry[] = [],
  sent: readonly SendMessageBatchRequestEntry[],
  taken: number,
): readonly BatchResultErrorEntry[] {
  if (failed.length + taken !== sent.length) throw new Error('The queue did not answer for every message');
  return failed;
}

function notTaken(cause: BatchResultErrorEntry | undefined, count: number): Error {
  return new Error(`The queue did not take ${count} messages: ${cause?.Code} ${cause?.Message ?? ''}`.trim());
}
