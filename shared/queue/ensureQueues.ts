import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { sqsClient } from './client.ts';

export interface Queue {
  readonly url: string;
  readonly arn: string;
}

export interface Queues {
  readonly runs: Queue;
  readonly deadLetters: Queue;
}

export interface QueueSettings {
  readonly name: string;
  readonly visibilityTimeoutSeconds: number;
  readonly maxReceiveCount: number;
}

export async function ensureQueues(endpoint: string, settings: QueueSettings): Promise<Queues> {
  const { name, maxReceiveCount } = settings;
  const client = sqsClient(endpoint);
  const VisibilityTimeout = String(settings.visibilityTimeoutSeconds);
  const deadLetters = await ensureQueue(client, `${name}-dead`, { VisibilityTimeout });
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: deadLetters.arn, maxReceiveCount });
  const runs = await ensureQueue(client, name, { VisibilityTimeout, RedrivePolicy });
  client.destroy();
  return { runs, deadLetters };
}

/** A queue that exists, with the dead-letter queue that its redrive policy names. */
export async function findQueues(endpoint: string, url: string): Promise<Queues> {
  const client = sqsClient(endpoint);
  const { QueueArn: arn = '', RedrivePolicy = '{}' } = await attributesOf(client, url);
  const { deadLetterTargetArn } = JSON.parse(RedrivePolicy) as { deadLetterTargetArn?: string };
  if (deadLetterTargetArn === undefined) throw new Error('the queue has no redrive policy');
  const QueueName = deadLetterTargetArn.split(':').at(-1);
  const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName }));
  client.destroy();
  return { runs: { url, arn }, deadLetters: { url: QueueUrl, arn: deadLetterTargetArn } };
}

async function ensureQueue(
  client: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<Queue> {
  const { QueueUrl: url = '' } = await client
    .send(new GetQueueUrlCommand({ QueueName }))
    .catch((error: unknown) => {
      if (!(error instanceof QueueDoesNotExist)) throw error;
      return client.send(new CreateQueueCommand({ QueueName, Attributes }));
    });
  return { url, arn: (await attributesOf(client, url)).QueueArn ?? '' };
}

async function attributesOf(client: SQSClient, QueueUrl: string) {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn', 'RedrivePolicy'] });
  return (await client.send(command)).Attributes ?? {};
}
