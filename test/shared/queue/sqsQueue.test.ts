import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WorkMessage } from '../../../shared/domain/messages.ts';
import { ensureQueues, findQueues } from '../../../shared/queue/ensureQueues.ts';
import { queueFromConfig } from '../../../shared/queue/fromConfig.ts';
import { sqsQueue } from '../../../shared/queue/sqsQueue.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import {
  handlerOf,
  messageOf,
  messagesOf,
  numberOf,
  type OwnQueues,
  startOwnQueues,
} from '../../support/queues.ts';
import { eventually } from '../../support/service.ts';

const ascending = (left: number, right: number) => left - right;

describe('the queue', () => {
  let queues: OwnQueues;
  beforeEach(async () => {
    queues = await startOwnQueues();
  });
  afterEach(() => queues.stop());

  test('takes more messages than a batch holds, and delivers each', async () => {
    const numbers: number[] = [];
    await queues.queue.send(messagesOf(47));
    const source = queues.consume(
      queues.runs,
      handlerOf((message) => void numbers.push(numberOf(message))),
    );
    await eventually(() => queues.isEmpty(queues.runs));
    await source.stop();
    expect(numbers.toSorted(ascending)).toEqual(messagesOf(47).map(numberOf));
  });

  test('is empty when no message waits to be received, also if some are on their way', async () => {
    const queue = sqsQueue({ url: queues.runs.url, endpoint: queues.endpoint });
    expect(await queue.isEmpty()).toBe(true);
    await queue.send([messageOf(0)], 60);
    expect(await queue.isEmpty()).toBe(true);
    await queue.send([messageOf(1)]);
    expect(await queue.isEmpty()).toBe(false);
  });

  test('delivers messages with a delay after it', async () => {
    await queues.queue.send([messageOf(0)], 60);
    expect(await queues.counts(queues.runs)).toEqual({ ready: 0, delayed: 1, inflight: 0 });
    const later = await startOwnQueues();
    const numbers: number[] = [];
    later.consume(
      later.runs,
      handlerOf((message) => void numbers.push(numberOf(message))),
    );
    await later.queue.send([messageOf(1)], 1);
    await eventually(() => later.isEmpty(later.runs));
    expect(numbers).toEqual([1]);
    await later.stop();
  });

  test('refuses a batch with a message that its consumer would refuse', async () => {
    const message = { ...messageOf(1), chunk: -1 };
    await expect(queues.queue.send([messageOf(0), message])).rejects.toThrow();
    expect(await queues.isEmpty(queues.runs)).toBe(true);
  });

  const settings = { name: 'made', visibilityTimeoutSeconds: 120, maxReceiveCount: 3 };

  test('and its dead-letter queue are made once, and stay as they are after that', async () => {
    const made = await ensureQueues(queues.endpoint, settings);
    expect(made.runs.arn).toMatch(/^arn:aws:sqs:local:\d+:made$/);
    expect(made.deadLetters.arn).toMatch(/^arn:aws:sqs:local:\d+:made-dead$/);
    expect(await ensureQueues(queues.endpoint, settings)).toEqual(made);
    expect(await ensureQueues(queues.endpoint, { ...settings, visibilityTimeoutSeconds: 5 })).toEqual(made);
  });

  test('is found by its url, and names its dead-letter queue', async () => {
    const made = await ensureQueues(queues.endpoint, settings);
    expect(await findQueues(queues.endpoint, made.runs.url)).toEqual(made);
  });

  test('is not enough without a dead-letter queue, and has to exist', async () => {
    const { deadLetters } = await ensureQueues(queues.endpoint, settings);
    await expect(findQueues(queues.endpoint, deadLetters.url)).rejects.toThrow('no redrive policy');
    const missing = `${queues.endpoint}/000000000000/missing`;
    await expect(findQueues(queues.endpoint, missing)).rejects.toThrow('does not exist');
  });

  test('reports that it is out of reach', async () => {
    const gone = await startOwnQueues();
    await gone.stop();
    await expect(gone.queue.send([messageOf(0)])).rejects.toThrow();
  });

  test('reports that it does not exist', async () => {
    const { endpoint } = queues;
    const missing = sqsQueue({ endpoint, url: `${endpoint}/000000000000/missing` });
    await expect(missing.send([messageOf(0)])).rejects.toThrow('does not exist');
  });
});

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds: number;
  readonly MessageGroupId: string;
}
type Fate = { Code: string; SenderFault: boolean } | undefined | 'forgotten';

/** A queue that takes, refuses or forgets messages as the test says. */
async function startMoodyQueue(fateOf: (message: WorkMessage, attempt: number) => Fate) {
  const batches: Entry[][] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { Entries } = JSON.parse(Buffer.concat(chunks).toString()) as { Entries: Entry[] };
    batches.push(Entries);
    const Successful: object[] = [];
    const Failed: object[] = [];
    for (const { Id, MessageBody } of Entries) {
      const attempt = batches.flat().filter((entry) => entry.MessageBody === MessageBody).length;
      const fate = fateOf(JSON.parse(MessageBody), attempt);
      const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
      if (fate === undefined) Successful.push({ Id, MessageId: Id, MD5OfMessageBody });
      else if (fate !== 'forgotten') Failed.push({ Id, ...fate });
    }
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ Successful, Failed }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    batches,
    queue: sqsQueue({ endpoint, url: `${endpoint}/000000000000/runs` }),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a batch that is taken in part', () => {
  const busy = { Code: 'InternalError', SenderFault: false };

  test('is sent again, but only the refused messages', async () => {
    const moody = await startMoodyQueue((message, attempt) =>
      numberOf(message) % 4 === 0 && attempt < 3 ? busy : undefined,
    );
    await moody.queue.send(messagesOf(10), 7);
    const sizes = moody.batches.map((batch) => batch.length);
    expect(sizes).toEqual([10, 3, 3]);
    for (const { DelaySeconds } of moody.batches.flat()) expect(DelaySeconds).toBe(7);
    moody.stop();
  });

  test('fails the send when a message is refused again and again', async () => {
    const moody = await startMoodyQueue((message) => (numberOf(message) === 3 ? busy : undefined));
    await expect(moody.queue.send(messagesOf(10))).rejects.toThrow('did not take 1 messages: InternalError');
    expect(moody.batches).toHaveLength(4);
    moody.stop();
  });

  test('fails the send at once when the refusal is final', async () => {
    const final = { Code: 'InvalidMessageContents', SenderFault: true };
    const moody = await startMoodyQueue((message) => (numberOf(message) === 3 ? final : undefined));
    await expect(moody.queue.send(messagesOf(4))).rejects.toThrow('InvalidMessageContents');
    expect(moody.batches).toHaveLength(1);
    moody.stop();
  });

  test('fails the send when the queue does not answer for every message', async () => {
    const moody = await startMoodyQueue((message) => (numberOf(message) === 3 ? 'forgotten' : undefined));
    await expect(moody.queue.send(messagesOf(4))).rejects.toThrow('did not answer for every message');
    moody.stop();
  });

  test('names the organisation as group, so that its backlog does not delay others', async () => {
    const other = '9a3f8a52-0c55-4a6b-9a3f-1d2b5c7e9f10';
    const moody = await startMoodyQueue(() => undefined);
    await moody.queue.send([messageOf(0), messageOf(1, other)]);
    expect(moody.batches.flat().map(({ MessageGroupId }) => MessageGroupId)).toEqual([
      messageOf(0).org_id,
      other,
    ]);
    moody.stop();
  });
});

describe('the configuration', () => {
  const TABLE_NAME = 'evalgate';

  test('without QUEUE_URL is enough for a function that does not send; one that does names the missing variable', () => {
    expect(readConfig({ TABLE_NAME }).queue).toBeUndefined();
    expect(() => queueFromConfig(readConfig({ TABLE_NAME }))).toThrow('QUEUE_URL');
  });

  test('names queue and engine', () => {
    const QUEUE_URL = 'https://sqs.eu-west-1.amazonaws.com/1/runs';
    expect(readConfig({ TABLE_NAME, QUEUE_URL }).queue).toEqual({ url: QUEUE_URL, endpoint: undefined });
    const SQS_ENDPOINT = 'http://127.0.0.1:9324';
    expect(readConfig({ TABLE_NAME, QUEUE_URL, SQS_ENDPOINT }).queue).toEqual({
      url: QUEUE_URL,
      endpoint: SQS_ENDPOINT,
    });
    expect(() => readConfig({ TABLE_NAME, QUEUE_URL: 'runs' })).toThrow('QUEUE_URL');
  });
});
