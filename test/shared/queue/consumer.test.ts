import { describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { lambdaContext } from '../../../infra/local/http/functions.ts';
import { RetainMessage, type WorkMessage } from '../../../shared/domain/messages.ts';
import { queueConsumer } from '../../../shared/queue/consumer.ts';
import { writeMessage } from '../../../shared/queue/messages.ts';
import { handlerOf, messageOf, messagesOf, numberOf, tablelessRuntime } from '../../support/queues.ts';

const context = lambdaContext('test/consumer', 'request-1', 1_000);

function eventOf(...bodies: string[]): SQSEvent {
  const record = (body: string, index: number) => ({
    messageId: `message-${index}`,
    receiptHandle: `handle-${index}`,
    body,
    attributes: {
      ApproximateReceiveCount: '2',
      SentTimestamp: '0',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:local:000000000000:runs',
    awsRegion: 'local',
  });
  return { Records: bodies.map(record) };
}

const batchOf = (messages: readonly WorkMessage[]) => eventOf(...messages.map(writeMessage));

const failuresOf = (...indices: number[]) => ({
  batchItemFailures: indices.map((index) => ({ itemIdentifier: `message-${index}` })),
});

describe('a queue consumer', () => {
  test('gets every message of the batch and reports no failures', async () => {
    const handled: WorkMessage[] = [];
    const handler = handlerOf((message) => void handled.push(message));
    expect(await handler(batchOf(messagesOf(10)), context)).toEqual(failuresOf());
    expect(handled).toEqual(messagesOf(10));
  });

  test('reports exactly the messages that failed', async () => {
    const handler = handlerOf((message) => {
      if (numberOf(message) % 3 === 0) throw new Error('broken');
    });
    expect(await handler(batchOf(messagesOf(8)), context)).toEqual(failuresOf(0, 3, 6));
  });

  test('handles a batch at once: the first message can wait for the last', async () => {
    const last = Promise.withResolvers<void>();
    const handler = handlerOf((message) => (numberOf(message) === 9 ? last.resolve() : last.promise));
    expect(await handler(batchOf(messagesOf(10)), context)).toEqual(failuresOf());
  });

  test('retains a message without an alarm, and raises one for any other error', async () => {
    const { runtime, log } = tablelessRuntime();
    const handle = (message: WorkMessage) => {
      throw numberOf(message) === 0 ? new RetainMessage('its chunk is held') : new TypeError('a defect');
    };
    const handler = handlerOf(handle, { runtime });
    expect(await handler(batchOf(messagesOf(2)), context)).toEqual(failuresOf(0, 1));
    expect(log).toEqual([
      {
        level: 'info',
        code: 'message_retained',
        message_id: 'message-0',
        receives: 2,
        ...messageOf(0),
        reason: 'its chunk is held',
      },
      expect.objectContaining({
        level: 'error',
        code: 'message_failed',
        message_id: 'message-1',
        ...messageOf(1),
        error: 'TypeError',
        message: 'a defect',
      }),
      expect.objectContaining({
        level: 'info',
        code: 'batch_completed',
        messages: 2,
        failed: 2,
        run_ids: [expect.stringMatching(/^run_/)],
      }),
    ]);
  });

  test.each(['no JSON', '{}', 'null', '{"kind":"plan","org_id":"x","run_id":"y"}'])(
    'fails an invalid message and handles the others: %s',
    async (body) => {
      const { runtime, log } = tablelessRuntime();
      const handled: number[] = [];
      const handler = handlerOf((message) => void handled.push(numberOf(message)), { runtime });
      const event = eventOf(writeMessage(messageOf(0)), body, writeMessage(messageOf(2)));
      expect(await handler(event, context)).toEqual(failuresOf(1));
      expect(handled).toEqual([0, 2]);
      expect(log).toContainEqual(
        expect.objectContaining({ level: 'error', code: 'message_invalid', message_id: 'message-1' }),
      );
    },
  );

  test.each(['no JSON', '{}'])('of dead letters logs an invalid message and drops it: %s', async (body) => {
    const { runtime, log } = tablelessRuntime();
    const handler = handlerOf(() => {}, { invalid: 'drop', runtime });
    expect(await handler(eventOf(body), context)).toEqual(failuresOf());
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'error', code: 'message_invalid', dropped: true }),
    );
  });

  test('of dead letters keeps a valid message that fails', async () => {
    const fail = () => Promise.reject(new Error('broken'));
    const handler = handlerOf(fail, { invalid: 'drop' });
    expect(await handler(batchOf(messagesOf(1)), context)).toEqual(failuresOf(0));
  });

  test('has its dependencies built once, from the runtime it is given', async () => {
    const { runtime } = tablelessRuntime();
    const built: unknown[] = [];
    const consumer = queueConsumer({
      dependencies: (given) => ({ place: built.push(given) }),
      handle: async (_message, deps) => expect(deps).toEqual({ place: 1 }),
    });
    const handler = consumer.withRuntime(runtime);
    await handler(batchOf(messagesOf(2)), context);
    expect(await handler(batchOf(messagesOf(2)), context)).toEqual(failuresOf());
    expect(built).toEqual([runtime]);
  });
});
