import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context, SQSEvent } from 'aws-lambda';
import type { QueueHandler } from '../../../../shared/queue/consumer.ts';
import { queueReader } from '../../../../shared/queue/queueReader.ts';
import { EVALUATOR_BATCH_SIZE } from '../../../../shared/queue/settings.ts';
import {
  counter,
  handlerOf,
  messageOf,
  messagesOf,
  numberOf,
  type OwnQueues,
  startOwnQueues,
} from '../../../support/queues.ts';
import { eventually } from '../../../support/service.ts';

const ascending = (left: number, right: number) => left - right;
const range = (count: number) => messagesOf(count).map(numberOf);

let queues: OwnQueues;
beforeEach(async () => {
  queues = await startOwnQueues();
});
afterEach(() => queues.stop());

const allDone = () => queues.isEmpty(queues.runs);

describe('the event source', () => {
  test('hands over batches of at most 10 in the form that Lambda has', async () => {
    const events: SQSEvent[] = [];
    const contexts: Context[] = [];
    const handler: QueueHandler = async (event, context) => {
      events.push(event);
      contexts.push(context);
      return { batchItemFailures: [] };
    };
    const before = Date.now();
    await queues.queue.send(messagesOf(25));
    queues.consume(queues.runs, handler);
    await eventually(allDone);
    for (const { Records } of events) expect(Records.length).toBeLessThanOrEqual(10);
    const records = events.flatMap(({ Records }) => Records);
    expect(new Set(records.map(({ messageId }) => messageId)).size).toBe(25);
    const bodies = records.map(({ body }) => JSON.parse(body));
    expect(bodies.sort((left, right) => left.chunk - right.chunk)).toEqual(messagesOf(25));
    for (const record of records) {
      const { SentTimestamp, ApproximateReceiveCount } = record.attributes;
      expect(ApproximateReceiveCount).toBe('1');
      expect(Number(SentTimestamp)).toBeGreaterThanOrEqual(before);
      expect(record).toMatchObject({
        receiptHandle: expect.stringMatching(/./),
        eventSource: 'aws:sqs',
        eventSourceARN: queues.runs.arn,
        awsRegion: 'local',
        messageAttributes: {},
      });
    }
    expect(contexts[0]?.functionName).toBe('evalgate-local-test-consumer');
    expect(contexts[0]?.getRemainingTimeInMillis()).toBeGreaterThan(0);
  });

  test('hands over at most the configured number of messages at once', async () => {
    const sizes: number[] = [];
    await queues.queue.send(messagesOf(12));
    const handler: QueueHandler = async ({ Records }) => {
      sizes.push(Records.length);
      return { batchItemFailures: [] };
    };
    queues.consume(queues.runs, handler, { batchSize: EVALUATOR_BATCH_SIZE });
    await eventually(() => sizes.length === 12);
    expect(new Set(sizes)).toEqual(new Set([EVALUATOR_BATCH_SIZE]));
  });

  test('delivers failed messages again, and no others', async () => {
    const { times, count } = counter();
    await queues.queue.send(messagesOf(10));
    const handler = handlerOf((message) => {
      const failing = numberOf(message) % 3 === 0;
      if (count(message) < 3 && failing) throw new Error('not yet');
    });
    queues.consume(queues.runs, handler);
    await eventually(allDone);
    expect(Object.fromEntries(times)).toEqual(
      Object.fromEntries(range(10).map((number) => [number, number % 3 === 0 ? 3 : 1])),
    );
  });

  test('delivers a whole batch again when the handler throws', async () => {
    const succeeded: number[] = [];
    let invocations = 0;
    const inner = handlerOf((message) => void succeeded.push(numberOf(message)));
    await queues.queue.send(messagesOf(10));
    queues.consume(queues.runs, async (event, context) => {
      if (++invocations === 1) throw new Error('out of memory');
      return inner(event, context);
    });
    await eventually(allDone);
    expect(succeeded.toSorted(ascending)).toEqual(range(10));
    expect(invocations).toBeGreaterThan(1);
  });

  test.each([
    ['names a message of another batch', { batchItemFailures: [{ itemIdentifier: 'another' }] }],
    ['names no message', { batchItemFailures: [{ itemIdentifier: '' }] }],
  ])('delivers a whole batch again when the answer %s', async (_what, answer) => {
    const { times, count } = counter();
    let invocations = 0;
    const inner = handlerOf((message) => void count(message));
    await queues.queue.send(messagesOf(3));
    queues.consume(queues.runs, async (event, context) => {
      const real = await inner(event, context);
      return ++invocations === 1 ? answer : real;
    });
    await eventually(allDone);
    expect([...times.values()]).toEqual([2, 2, 2]);
  });

  test('takes no answer as success, as Lambda does', async () => {
    let invocations = 0;
    await queues.queue.send(messagesOf(3));
    queues.consume(queues.runs, async () => void invocations++ as never);
    await eventually(allDone);
    expect(invocations).toBeGreaterThan(0);
  });

  test('works on several batches at once, and on no more messages than allowed', async () => {
    const gate = Promise.withResolvers<void>();
    let now = 0;
    let most = 0;
    await queues.queue.send(messagesOf(40));
    const handler = handlerOf(async () => {
      most = Math.max(most, ++now);
      await gate.promise;
      now--;
    });
    queues.consume(queues.runs, handler, { messagesInFlightMax: 25 });
    await eventually(() => now === 25);
    expect((await queues.counts(queues.runs)).ready).toBe(15);
    gate.resolve();
    await eventually(allDone);
    expect(most).toBe(25);
  });

  test('takes new messages while an old one is being handled', async () => {
    const gate = Promise.withResolvers<void>();
    const handled: number[] = [];
    const handler = handlerOf(async (message) => {
      if (numberOf(message) === 0) await gate.promise;
      handled.push(numberOf(message));
    });
    queues.consume(queues.runs, handler);
    await queues.queue.send([messageOf(0)]);
    await eventually(async () => (await queues.counts(queues.runs)).inflight === 1);
    await queues.queue.send([messageOf(1), messageOf(2)]);
    await eventually(() => handled.length === 2);
    gate.resolve();
    await eventually(allDone);
    expect(handled.at(-1)).toBe(0);
  });

  test('goes on when the queue was out of reach for a moment', async () => {
    const reader = queueReader({ ...queues.runs, endpoint: queues.endpoint });
    let receives = 0;
    const handled: number[] = [];
    await queues.queue.send(messagesOf(3));
    const receive: typeof reader.receive = async (...args) => {
      if (++receives === 1) throw new Error('connection refused');
      return reader.receive(...args);
    };
    queues.consume(
      queues.runs,
      handlerOf((message) => void handled.push(numberOf(message))),
      {
        reader: { ...reader, receive },
      },
    );
    await eventually(allDone);
    expect(handled.toSorted(ascending)).toEqual(range(3));
  });
});
