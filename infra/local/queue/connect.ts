import type { QueueSettings, Queues } from '../../../shared/queue/ensureQueues.ts';
import { RECEIVES_MAX, VISIBILITY_TIMEOUT_SECONDS } from '../../../shared/queue/settings.ts';
import type { LocalConfig } from '../config.ts';
import { provideQueueEnvironment } from '../environment.ts';
import { reasonOf, StartupError } from '../startupError.ts';
import { type QueueEngine, startQueueEngine } from './engine.ts';

export interface LocalQueues extends Queues {
  readonly endpoint: string;
  /** Only the embedded engine counts here. */
  readonly countsOf: QueueEngine['countsOf'] | undefined;
  stop(): Promise<void>;
}

const SETTINGS: QueueSettings = {
  name: 'evalgate-runs',
  visibilityTimeoutSeconds: VISIBILITY_TIMEOUT_SECONDS,
  maxReceiveCount: RECEIVES_MAX,
};

export async function connectQueues({ sqs }: Pick<LocalConfig, 'sqs'>): Promise<LocalQueues> {
  const ownEngine = sqs === undefined ? await startQueueEngine() : undefined;
  const engine = ownEngine ?? { endpoint: sqs?.endpoint ?? '', stop: async () => {} };
  const { endpoint } = engine;
  try {
    const queues = await queuesOn(endpoint, sqs?.queueUrl);
    provideQueueEnvironment({ endpoint, queueUrl: queues.runs.url });
    return { ...queues, endpoint, countsOf: ownEngine?.countsOf, stop: () => engine.stop() };
  } catch (error) {
    await engine.stop();
    throw new StartupError(
      `The queue ${sqs?.queueUrl ?? SETTINGS.name} cannot be used on the SQS engine at ${endpoint} ` +
        `(${reasonOf(error)}): ${remedyOf(sqs)}.`,
    );
  }
}

function remedyOf(sqs: LocalConfig['sqs']): string {
  if (sqs === undefined) return 'start again, or set SQS_ENDPOINT to a running SQS engine';
  const embedded = 'to use the embedded engine';
  return sqs.queueUrl === undefined
    ? `start the engine there, or unset SQS_ENDPOINT ${embedded}`
    : `set QUEUE_URL to a queue there that has a dead-letter queue, or unset it and SQS_ENDPOINT ${embedded}`;
}

async function queuesOn(endpoint: string, queueUrl: string | undefined): Promise<Queues> {
  // Loaded late: the AWS SDK reads its settings from the variables set above.
  const { ensureQueues, findQueues } = await import('../../../shared/queue/ensureQueues.ts');
  return queueUrl === undefined ? ensureQueues(endpoint, SETTINGS) : findQueues(endpoint, queueUrl);
}
