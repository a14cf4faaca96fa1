import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context, SQSEvent } from 'aws-lambda';
import { RetainMessage } from '../../../shared/domain/evaluation/deps.ts';
import type { QueueHandler } from '../../../shared/queue/consumer.ts';
import { queueReader } from '../../../shared/queue/queueReader.ts';
import {
  handlerOf,
  messageOf,
  messagesOf,
  numberOf,
  type OwnQueues,
  startOwnQueues,
  tablelessRuntime,
} from '../../support/queues.ts';
import { eventually } from '../../support/service.ts';

const RECEIVES_MAX = 5;
const ascending = (left: number, right: number) => left - right;
const range = (count: number) => messagesOf(count).map(numberOf);

let queues: OwnQueues;
beforeEach(async () => {
  queues = await startOwnQueues({ maxReceiveCount: RECEIVES_MAX });
});
afterEach(() => queues.stop());

/** Counts how often each message was handled. */
function counter() {
  const times = new Map<number, number>();
  return {
    times,
    count(message: Parameters<typeof numberOf>[0]): number {
      const number = numberOf(message);
      times.set(number, (times.get(number) ?? 0) + 1);
      return times.get(number)!;
    },
  };
}

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

  test('delivers again what failed, and nothing else', async () => {
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

test('a message comes back when the queue was not told that it was handled', async () => {
  const forgetful = await startOwnQueues({ visibilityTimeoutSeconds: 1 });
  const reader = queueReader({ ...forgetful.runs, endpoint: forgetful.endpoint });
  const { times, count } = counter();
  let deletes = 0;
  await forgetful.queue.send([messageOf(0)]);
  forgetful.consume(
    forgetful.runs,
    handlerOf((message) => void count(message)),
    {
      reader: {
        ...reader,
        async delete(records) {
          if (++deletes === 1) throw new Error('connection reset');
          return reader.delete(records);
        },
      },
    },
  );
  await eventually(() => forgetful.isEmpty(forgetful.runs));
  expect(times).toEqual(new Map([[0, 2]]));
  await forgetful.stop();
});

describe('the dead-letter queue', () => {
  test('gets what failed as often as it may, and nothing else', async () => {
    const { times, count } = counter();
    const dead: number[] = [];
    await queues.queue.send(messagesOf(12));
    const handler = handlerOf((message) => {
      count(message);
      if (numberOf(message) === 4) throw new Error('broken');
      if (numberOf(message) === 7) throw new RetainMessage('held');
    });
    queues.consume(queues.runs, handler);
    queues.consume(
      queues.deadLetters,
      handlerOf((message) => void dead.push(numberOf(message))),
    );
    await eventually(() => dead.length === 2);
    expect(dead.toSorted(ascending)).toEqual([4, 7]);
    expect(await allDone()).toBe(true);
    await eventually(() => queues.isEmpty(queues.deadLetters));
    for (const [number, often] of times) expect(often).toBe([4, 7].includes(number) ? RECEIVES_MAX : 1);
  });

  test('gets what is no message, and drops it', async () => {
    const { runtime, log } = tablelessRuntime();
    const handled: number[] = [];
    await queues.sendRaw('no JSON', '{"kind":"delete everything"}');
    await queues.queue.send([messageOf(0)]);
    queues.consume(
      queues.runs,
      handlerOf((message) => void handled.push(numberOf(message))),
    );
    const drop = handlerOf((message) => void handled.push(numberOf(message)), { invalid: 'drop', runtime });
    queues.consume(queues.deadLetters, drop);
    const dropped = () => log.filter((line) => line.dropped === true);
    await eventually(() => dropped().length === 2);
    await eventually(allDone);
    await eventually(() => queues.isEmpty(queues.deadLetters));
    expect(handled).toEqual([0]);
    for (const line of dropped()) expect(line.receives).toBeGreaterThan(RECEIVES_MAX);
  });

  test('keeps what its consumer cannot end yet until it can', async () => {
    const { times, count } = counter();
    await queues.queue.send([messageOf(0)]);
    const fail = () => Promise.reject(new Error('broken'));
    queues.consume(queues.runs, handlerOf(fail));
    const busy = handlerOf((message) => {
      if (count(message) < 2 * RECEIVES_MAX) throw new RetainMessage('being evaluated even now');
    });
    queues.consume(queues.deadLetters, busy);
    await eventually(() => times.get(0) === 2 * RECEIVES_MAX);
    await eventually(() => queues.isEmpty(queues.deadLetters));
  });
});

describe('stopping', () => {
  test('waits for what is being handled and has it deleted; the rest stays in the queue', async () => {
    const gate = Promise.withResolvers<void>();
    const started: number[] = [];
    let finished = 0;
    const handler = handlerOf(async (message) => {
      started.push(numberOf(message));
      await gate.promise;
      finished++;
    });
    await queues.queue.send(messagesOf(30));
    const source = queues.consume(queues.runs, handler, { messagesInFlightMax: 10 });
    await eventually(() => started.length === 10);
    let stopped = false;
    const stopping = source.stop().then(() => {
      stopped = true;
    });
    await queues.queue.send([messageOf(30)]);
    expect(stopped).toBe(false);
    gate.resolve();
    await stopping;
    expect(finished).toBe(10);
    expect(started).toHaveLength(10);
    expect(await queues.counts(queues.runs)).toEqual({ ready: 21, delayed: 0, inflight: 0 });
  });

  test('while nothing comes is at once, and says nothing', async () => {
    let reading: AbortSignal | undefined;
    const reader = queueReader({ ...queues.runs, endpoint: queues.endpoint });
    const source = queues.consume(
      queues.runs,
      handlerOf(() => {}),
      {
        reader: {
          ...reader,
          receive: (max, signal) => {
            reading = signal;
            return reader.receive(max, signal);
          },
        },
      },
    );
    await eventually(() => reading !== undefined);
    await source.stop();
    expect(reading?.aborted).toBe(true);
  });

  test('gives back what fails meanwhile', async () => {
    const gate = Promise.withResolvers<void>();
    let started = 0;
    await queues.queue.send(messagesOf(2));
    const handler = handlerOf(async (message) => {
      started++;
      await gate.promise;
      if (numberOf(message) === 1) throw new Error('broken');
    });
    const source = queues.consume(queues.runs, handler, { messagesInFlightMax: 2 });
    await eventually(() => started === 2);
    const stopping = source.stop();
    gate.resolve();
    await stopping;
    const handled: number[] = [];
    queues.consume(
      queues.runs,
      handlerOf((message) => void handled.push(numberOf(message))),
    );
    await eventually(allDone);
    expect(handled).toEqual([1]);
  });
});
