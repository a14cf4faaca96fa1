import { startQueueEngine } from '../../infra/local/queue/engine.ts';
import { type EventSourceOptions, startEventSource } from '../../infra/local/queue/eventSource.ts';
import { invokeWithBatch } from '../../infra/local/queue/invoke.ts';
import type { WorkMessage, WorkQueue } from '../../shared/domain/messages.ts';
import { type QueueHandler, queueConsumer } from '../../shared/queue/consumer.ts';
import { ensureQueues, type Queue, type Queues } from '../../shared/queue/ensureQueues.ts';
import { queueReader } from '../../shared/queue/queueReader.ts';
import { sqsQueue } from '../../shared/queue/sqsQueue.ts';
import { createRuntime, type Runtime } from '../../shared/runtime/runtime.ts';

const ORG_ID = '3f1b8a52-0c55-4a6b-9a3f-1d2b5c7e9f10';

/** A different message for every number. */
export function messageOf(chunk: number, org_id = ORG_ID): WorkMessage {
  return { kind: 'chunk', org_id, run_id: 'run_2K6iAXaTfcIpWKFU4iGF5YH6oYYWf', chunk, waits: 0, held: 0 };
}

export const messagesOf = (count: number): WorkMessage[] =>
  Array.from({ length: count }, (_, number) => messageOf(number));

export const numberOf = (message: WorkMessage): number => (message.kind === 'chunk' ? message.chunk : -1);

/** Counts how often each message was handled. */
export function counter() {
  const times = new Map<number, number>();
  return {
    times,
    count(message: WorkMessage): number {
      const number = numberOf(message);
      const often = (times.get(number) ?? 0) + 1;
      times.set(number, often);
      return often;
    },
  };
}

export interface QueueLogLine {
  readonly level: string;
  readonly code: string;
  readonly [field: string]: unknown;
}

/** A runtime without a table, with a readable log. */
export function tablelessRuntime(): { runtime: Runtime; log: QueueLogLine[] } {
  const log: QueueLogLine[] = [];
  const config = {
    tableName: 'none',
    dynamodbEndpoint: 'http://127.0.0.1:1',
    signUp: 'open',
    rateLimits: 'off',
    rateLimitWaitMs: 500,
    logLevel: 'info',
    metricsNamespace: 'evalgate',
    vault: undefined,
    tokenKeys: undefined,
    tokenIssuer: 'urn:evalgate:test',
    variables: {},
    originSecrets: undefined,
    queue: undefined,
  } as const;
  const runtime = createRuntime(config, {
    log: (level, code, fields) => void log.push({ level, code, ...fields }),
  });
  return { runtime, log };
}

/** A queue handler around a function of the test. */
export function handlerOf(
  handle: (message: WorkMessage) => Promise<void> | void,
  { invalid, runtime = tablelessRuntime().runtime }: { invalid?: 'drop'; runtime?: Runtime } = {},
): QueueHandler {
  const consumer = queueConsumer({
    dependencies: () => ({}),
    handle: async (message) => handle(message),
    ...(invalid && { invalid }),
  });
  return consumer.withRuntime(runtime);
}

interface Counts {
  readonly ready: number;
  readonly delayed: number;
  readonly inflight: number;
}

export interface OwnQueues extends Queues {
  readonly endpoint: string;
  readonly queue: WorkQueue;
  sendRaw(...bodies: string[]): Promise<void>;
  /** Hands messages to the handler until stopped. Failed ones come back at once. */
  consume(
    queue: Queue,
    handler: QueueHandler,
    options?: Partial<EventSourceOptions>,
  ): { stop(): Promise<void> };
  counts(queue: Queue): Promise<Counts>;
  isEmpty(queue: Queue): Promise<boolean>;
  stopEngine(): Promise<void>;
  stop(): Promise<void>;
}

/** The engine accepts any credentials, and the AWS SDK requires some. */
export function provideLocalCredentials(): void {
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  Object.assign(process.env, { AWS_REGION: 'local', ...credentials });
}

let created = 0;

/** An SQS engine of the test's own, over HTTP. */
export async function startOwnQueues(
  settings: { visibilityTimeoutSeconds?: number; maxReceiveCount?: number } = {},
): Promise<OwnQueues> {
  provideLocalCredentials();
  const engine = await startQueueEngine();
  const { endpoint } = engine;
  const name = `runs-${++created}`;
  const queues = await ensureQueues(endpoint, {
    name,
    visibilityTimeoutSeconds: 60,
    maxReceiveCount: 5,
    ...settings,
  });
  const sources: { stop(): Promise<void> }[] = [];
  const counts = async ({ url }: Queue): Promise<Counts> => {
    const { Attributes } = await post(endpoint, 'GetQueueAttributes', {
      QueueUrl: url,
      AttributeNames: ['All'],
    });
    const count = (name: string) => Number(Attributes[`ApproximateNumberOfMessages${name}`]);
    return { ready: count(''), delayed: count('Delayed'), inflight: count('NotVisible') };
  };
  return {
    ...queues,
    endpoint,
    queue: sqsQueue({ url: queues.runs.url, endpoint }),
    async sendRaw(...bodies) {
      for (const MessageBody of bodies)
        await post(endpoint, 'SendMessage', { QueueUrl: queues.runs.url, MessageBody });
    },
    consume(queue, handler, options) {
      const source = startEventSource({
        reader: queueReader({ ...queue, endpoint }),
        invoke: (records) => invokeWithBatch('test/consumer', async () => handler, records),
        retryDelaySeconds: 0,
        batchSize: 10,
        ...options,
      });
      sources.push(source);
      return source;
    },
    counts,
    async isEmpty(queue) {
      const { ready, delayed, inflight } = await counts(queue);
      return ready + delayed + inflight === 0;
    },
    stopEngine: () => engine.stop(),
    async stop() {
      await Promise.all(sources.map((source) => source.stop()));
      await engine.stop();
    },
  };
}

async function post(endpoint: string, action: string, body: object) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${action}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly Attributes: Readonly<Record<string, string>> };
}
