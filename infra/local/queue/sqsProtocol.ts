import { MemoryQueue, type StoredMessage } from './memoryQueue.ts';

/** What this service and its tests use of SQS, named as there. */
export interface SqsRequest {
  readonly QueueName?: string;
  readonly QueueUrl?: string;
  readonly Attributes?: { readonly VisibilityTimeout?: string; readonly RedrivePolicy?: string };
  readonly MessageBody?: string;
  readonly DelaySeconds?: number;
  readonly Entries?: readonly {
    readonly Id: string;
    readonly MessageBody?: string;
    readonly DelaySeconds?: number;
    readonly ReceiptHandle?: string;
    readonly VisibilityTimeout?: number;
  }[];
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
}

export class SqsError extends Error {
  /** As SDKs name it. */
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

interface NamedQueue {
  readonly queue: MemoryQueue;
  readonly arn: string;
  readonly visibilityTimeout: string;
  readonly redrivePolicy: string | undefined;
}

type Operation = (request: SqsRequest, gone: AbortSignal) => object | Promise<object>;

const ARN = 'arn:aws:sqs:local:000000000000:';
const VISIBILITY_TIMEOUT_SECONDS = '30';

const lastPart = (text: string, separator: string): string => text.slice(text.lastIndexOf(separator) + 1);

/** The queues of one engine, and the operations on them by their names in SQS. */
export class SqsQueues {
  readonly #queues = new Map<string, NamedQueue>();
  readonly #addressOf: (name: string) => string;
  readonly operations: Readonly<Record<string, Operation>>;

  constructor(addressOf: (name: string) => string) {
    this.#addressOf = addressOf;
    this.operations = {
      CreateQueue: (request) => this.#create(request),
      GetQueueUrl: ({ QueueName = '' }) => {
        this.#named(QueueName);
        return { QueueUrl: this.#addressOf(QueueName) };
      },
      GetQueueAttributes: (request) => ({ Attributes: attributesOf(this.#of(request)) }),
      SendMessage: (request) => sendTo(this.#of(request).queue, request),
      SendMessageBatch: (request) => {
        const { queue } = this.#of(request);
        const entries = request.Entries ?? [];
        return {
          Successful: entries.map((entry) => ({ Id: entry.Id, ...sendTo(queue, entry) })),
          Failed: [],
        };
      },
      ReceiveMessage: async (request, gone) => {
        const { MaxNumberOfMessages = 1, WaitTimeSeconds = 0 } = request;
        const { queue } = this.#of(request);
        const received = await queue.receive(MaxNumberOfMessages, WaitTimeSeconds, gone);
        return { Messages: [...received].map(([handle, message]) => messageOf(handle, message)) };
      },
      DeleteMessageBatch: (request) => {
        const { queue } = this.#of(request);
        const entries = request.Entries ?? [];
        for (const { ReceiptHandle = '' } of entries) queue.delete(ReceiptHandle);
        return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
      },
      ChangeMessageVisibilityBatch: (request) => changeVisibility(this.#of(request).queue, request),
    };
  }

  countsOf(QueueUrl: string) {
    return this.#of({ QueueUrl }).queue.counts();
  }

  stop(): void {
    for (const { queue } of this.#queues.values()) queue.stop();
  }

  #create({ QueueName = '', Attributes = {} }: SqsRequest) {
    const { VisibilityTimeout = VISIBILITY_TIMEOUT_SECONDS, RedrivePolicy } = Attributes;
    const queue = new MemoryQueue({
      visibilityTimeoutSeconds: Number(VisibilityTimeout),
      redrive: RedrivePolicy === undefined ? undefined : this.#redriveOf(RedrivePolicy),
    });
    const named = { queue, arn: ARN + QueueName, redrivePolicy: RedrivePolicy };
    this.#queues.set(QueueName, { ...named, visibilityTimeout: VisibilityTimeout });
    return { QueueUrl: this.#addressOf(QueueName) };
  }

  #redriveOf(policy: string) {
    const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(policy);
    return {
      deadLetters: this.#named(lastPart(deadLetterTargetArn, ':')).queue,
      receivesMax: Number(maxReceiveCount),
    };
  }

  /** By the end of its URL alone, as behind a proxy. */
  #of({ QueueUrl = '' }: SqsRequest): NamedQueue {
    return this.#named(lastPart(QueueUrl, '/'));
  }

  #named(name: string): NamedQueue {
    const queue = this.#queues.get(name);
    if (queue !== undefined) return queue;
    throw new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
  }
}

function attributesOf({ queue, arn, visibilityTimeout, redrivePolicy }: NamedQueue) {
  const { ready, delayed, inFlight } = queue.counts();
  return {
    QueueArn: arn,
    VisibilityTimeout: visibilityTimeout,
    ...(redrivePolicy !== undefined && { RedrivePolicy: redrivePolicy }),
    ApproximateNumberOfMessages: String(ready),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
  };
}

function sendTo(
  queue: MemoryQueue,
  { MessageBody = '', DelaySeconds = 0 }: Pick<SqsRequest, 'MessageBody' | 'DelaySeconds'>,
) {
  const { id, md5 } = queue.send(MessageBody, DelaySeconds);
  return { MessageId: id, MD5OfMessageBody: md5 };
}

const messageOf = (handle: string, message: StoredMessage) => ({
  MessageId: message.id,
  ReceiptHandle: handle,
  Body: message.body,
  MD5OfBody: message.md5,
  Attributes: {
    SenderId: 'local',
    SentTimestamp: String(message.sentAtMs),
    ApproximateReceiveCount: String(message.receives),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs),
  },
});

function changeVisibility(queue: MemoryQueue, { Entries = [] }: SqsRequest) {
  const changed = new Set(
    Entries.filter(({ ReceiptHandle = '', VisibilityTimeout = 0 }) =>
      queue.hideFor(ReceiptHandle, VisibilityTimeout),
    ),
  );
  const failed = Entries.filter((entry) => !changed.has(entry));
  return {
    Successful: [...changed].map(({ Id }) => ({ Id })),
    Failed: failed.map(({ Id }) => ({ Id, Code: 'MessageNotInflight', SenderFault: true })),
  };
}
