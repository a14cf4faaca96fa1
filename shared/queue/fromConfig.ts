import { lazily } from '../domain/lazily.ts';
import type { WorkQueue } from '../domain/messages.ts';
import type { Config } from '../runtime/config.ts';

/** The SQS client is loaded with the first message: most invocations send none. */
export function queueFromConfig({ queue }: Pick<Config, 'queue'>): WorkQueue {
  if (queue === undefined) throw new Error('Sending messages needs a queue: set QUEUE_URL');
  const sqs = lazily(async () => (await import('./sqsQueue.ts')).sqsQueue(queue));
  return { send: async (messages, delaySeconds) => (await sqs()).send(messages, delaySeconds) };
}
