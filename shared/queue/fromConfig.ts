import type { EvaluationQueue } from '../domain/evaluation/ports.ts';
import type { Config } from '../runtime/config.ts';
import { sqsQueue } from './sqsQueue.ts';

/** Apart from the runtime, so that only the functions that send carry the SQS client. */
export function queueFromConfig({ queue }: Pick<Config, 'queue'>): EvaluationQueue {
  if (queue === undefined) throw new Error('Sending messages needs a queue: set QUEUE_URL');
  return sqsQueue(queue);
}
