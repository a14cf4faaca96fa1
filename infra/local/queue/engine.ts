import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SqsError, SqsQueues } from './sqsProtocol.ts';

export interface QueueEngine {
  readonly endpoint: string;
  countsOf(queueUrl: string): ReturnType<SqsQueues['countsOf']>;
  stop(): Promise<void>;
}

/**
 * SQS over HTTP in this process, on loopback: only what the service asks for, so that the handlers are those of a
 * deployment. Messages are in memory and end with the process; the sweeper of the next one sends them again.
 */
export async function startQueueEngine(): Promise<QueueEngine> {
  let endpoint = '';
  const queues = new SqsQueues((name) => `${endpoint}/000000000000/${name}`);
  const server = createServer((request, response) => {
    // A caller that goes away while it waits must not be given a message.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    answer(queues, request, gone.signal).then(
      (body) => write(response, 200, body),
      (error: unknown) => write(response, 400, errorBody(error)),
    );
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    countsOf: (queueUrl) => queues.countsOf(queueUrl),
    async stop() {
      queues.stop();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Longer than clients keep a connection, so that none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 60_000;
const TARGET = 'AmazonSQS.';

async function answer(queues: SqsQueues, request: IncomingMessage, gone: AbortSignal): Promise<object> {
  const target = String(request.headers['x-amz-target']);
  const name = target.startsWith(TARGET) ? target.slice(TARGET.length) : '';
  const operation = Object.hasOwn(queues.operations, name) ? queues.operations[name] : undefined;
  const body = await text(request);
  if (operation !== undefined) return operation(JSON.parse(body), gone);
  throw new SqsError('UnsupportedOperation', `This engine has no operation ${target}.`);
}

const errorBody = (error: unknown) => ({
  __type: `com.amazonaws.sqs#${error instanceof SqsError ? error.type : 'InvalidParameterValue'}`,
  message: String(error instanceof Error ? error.message : error),
});

function write(response: ServerResponse, statusCode: number, body: object): void {
  response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(body));
}
