import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { invokeWithBatch } from '../../../../infra/local/queue/invoke.ts';
import { RetainMessage } from '../../../../shared/domain/messages.ts';
import type { QueueHandler } from '../../../../shared/queue/consumer.ts';
import { queueReader } from '../../../../shared/queue/queueReader.ts';
import {
  counter,
  handlerOf,
  messageOf,
  messagesOf,
  numberOf,
  type OwnQueues,
  startOwnQueues,
  tablelessRuntime,
} from '../../../support/queues.ts';
import { eventually } from '../../../support/service.ts';

const RECEIVES_MAX = 5;
const ascending = (left: number, right: number) => left - right;

let queues: OwnQueues;
beforeEach(async () => {
  queues = await startOwnQueues({ maxReceiveCount: RECEIVES_MAX });
});
afterEach(() => queues.stop());

const allDone = () => queues.isEmpty(queues.runs);

test('a message comes back when it could not be deleted', async () => {
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
  expect(times.get(0)).toBeGreaterThan(1);
  await forgetful.stop();
});

describe('the dead-letter queue', () => {
  test('gets the messages that failed the maximum number of times, and no others', async () => {
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

  test('receives malformed messages and deletes them', async () => {
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

  test('keeps messages while their consumer fails', async () => {
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

describe('a function that does not answer as it should', () => {
  const records = [{ messageId: 'one' }, { messageId: 'two' }] as SQSRecord[];
  test.each<[string, () => Promise<QueueHandler>]>([
    ['never answers', async () => () => new Promise(() => {})],
    ['cannot be loaded', () => Promise.reject(new Error('no such module'))],
    [
      'throws before it returns a promise',
      async () => () => {
        throw new Error('broken');
      },
    ],
  ])('fails its whole batch: %s', async (_what, load) => {
    expect(await invokeWithBatch('test/consumer', load, records, 10)).toEqual(records);
  });
});
