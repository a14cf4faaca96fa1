import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { type QueueAddress, sqsClient } from './client.ts';

/** Reads a queue as Lambda does, for services without Lambda. */
export interface QueueReader {
  /** At most 10 messages, as soon as there are any. None when none came in time. */
  receive(max: number, signal: AbortSignal): Promise<SQSRecord[]>;
  delete(records: readonly SQSRecord[]): Promise<void>;
  /** Has them delivered again after the delay. */
  putBack(records: readonly SQSRecord[], delaySeconds: number): Promise<void>;
}

const WAIT_SECONDS = 20;

export function queueReader(
  { url, arn, endpoint }: QueueAddress & { readonly arn: string },
  client = sqsClient(endpoint, { waitSeconds: WAIT_SECONDS }),
): QueueReader {
  return {
    async receive(max, signal) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: max,
          WaitTimeSeconds: WAIT_SECONDS,
          MessageSystemAttributeNames: ['All'],
        }),
        { abortSignal: signal },
      );
      return Messages.map((message) => recordOf(message, arn));
    },

    async delete(records) {
      if (records.length === 0) return;
      const answer = await client.send(
        new DeleteMessageBatchCommand({ QueueUrl: url, Entries: records.map(handleOf) }),
      );
      throwFirst(answer.Failed);
    },

    async putBack(records, delaySeconds) {
      if (records.length === 0) return;
      const Entries = records.map((record, index) => ({
        ...handleOf(record, index),
        VisibilityTimeout: delaySeconds,
      }));
      const answer = await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
      throwFirst(answer.Failed);
    },
  };
}

const handleOf = ({ receiptHandle }: SQSRecord, index: number) => ({
  Id: String(index),
  ReceiptHandle: receiptHandle,
});

function throwFirst(
  failed: readonly { Code?: string | undefined; Message?: string | undefined }[] = [],
): void {
  const [first] = failed;
  if (first !== undefined) throw new Error(`${first.Code} ${first.Message ?? ''}`.trim());
}

function recordOf(message: Message, arn: string): SQSRecord {
  const { MessageId = '', ReceiptHandle = '', Body = '', MD5OfBody = '', Attributes = {} } = message;
  const { ApproximateReceiveCount = '1', SentTimestamp = '', SenderId = '' } = Attributes;
  const { ApproximateFirstReceiveTimestamp = SentTimestamp } = Attributes;
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: {
      ...Attributes,
      ApproximateReceiveCount,
      SentTimestamp,
      SenderId,
      ApproximateFirstReceiveTimestamp,
    },
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: arn,
    awsRegion: arn.split(':')[3] ?? '',
  };
}
