import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { queueReader } from '../../../../shared/queue/queueReader.ts';
import {
  handlerOf,
  messageOf,
  messagesOf,
  numberOf,
  type OwnQueues,
  startOwnQueues,
} from '../../../support/queues.ts';
import { eventually } from '../../../support/service.ts';

let queues: OwnQueues;
beforeEach(async () => {
  queues = await startOwnQueues();
});
afterEach(() => queues.stop());

const allDone = () => queues.isEmpty(queues.runs);

describe('stopping', () => {
  test('waits for the messages being handled and deletes them; the others stay in the queue', async () => {
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

  test('waits for a batch while others could still come', async () => {
    const gate = Promise.withResolvers<void>();
    let started = 0;
    await queues.queue.send([messageOf(0)]);
    const handler = handlerOf(async () => {
      started++;
      await gate.promise;
    });
    const source = queues.consume(queues.runs, handler);
    await eventually(() => started === 1);
    let stopped = false;
    const stopping = source.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stopped).toBe(false);
    gate.resolve();
    await stopping;
    expect(await allDone()).toBe(true);
  });

  test('while nothing comes is at once, and reports nothing', async () => {
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

  test('returns messages that fail meanwhile to the queue', async () => {
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
