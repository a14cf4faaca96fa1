import { lazily } from '../domain/caches/lazily.ts';
import type { CountedQueue, WorkQueue } from '../domain/messages.ts';
import type { Config } from '../runtime/config.ts';

/** The SQS client is loaded with the first message: most invocations send none. */
export function countedQueueFromConfig({ queue }: Pick<Config, 'queue'>): CountedQueue {
  if (queue === undefined) throw new Error('Sending messages needs a queue: set QUEUE_URL');
  const sqs = lazily(async () => (await import('./sqsQueue.ts')).sqsQueue(queue));
  return {
    send: async (messages, delaySeconds) => (await sqs()).send(messages, delaySeconds),
    isEmpty: async () => (await sqs()).isEmpty(),
  };
}

export const queueFromConfig: (config: Pick<Config, 'queue'>) => WorkQueue = countedQueueFromConfig;
