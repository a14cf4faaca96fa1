import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http';

export interface Forwarder {
  /** Passes a request on to an engine, which takes any signature, and its answer back. */
  forward(request: IncomingMessage, body: Buffer, response: ServerResponse, engine: string): void;
  /** The same for long polls of a queue. */
  receive(request: IncomingMessage, body: Buffer, response: ServerResponse, engine: string): Promise<void>;
  stop(): void;
}

/** Of one connection only. */
const HOP_BY_HOP = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

export function forwarder(): Forwarder {
  const agent = new Agent({ keepAlive: true });
  return {
    forward(request, body, response, engine) {
      const { method, url = '/' } = request;
      const headers = ofTheMessage(request);
      const forwarded = send(new URL(url, engine), { method, headers, agent });
      forwarded.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 500, ofTheMessage(answer));
        answer.on('error', () => response.destroy());
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      response.on('close', () => {
        if (!response.writableFinished) forwarded.destroy();
      });
      forwarded.end(body);
    },
    receive,
    stop: () => agent.destroy(),
  };
}

const ofTheMessage = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      HOP_BY_HOP.includes(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  );

/**
 * The engine does not notice that a receiver has gone and hands it the next messages, which would stay invisible for
 * the whole visibility timeout. SQS does not do that: these messages are put back.
 */
async function receive(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  engine: string,
): Promise<void> {
  const headers = ofTheMessage(request);
  const answer = await fetch(engine, { method: 'POST', headers, body: new Uint8Array(body) }).catch(() => {});
  if (answer === undefined) return void response.destroy();
  const received = await answer.text();
  if (!request.socket.destroyed) {
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(received);
    return;
  }
  const { Messages = [] }: { Messages?: { ReceiptHandle: string }[] } = JSON.parse(received);
  if (Messages.length === 0) return;
  const { QueueUrl } = JSON.parse(body.toString());
  const Entries = Messages.map(({ ReceiptHandle }, index) => ({
    Id: String(index),
    ReceiptHandle,
    VisibilityTimeout: 0,
  }));
  await fetch(engine, {
    method: 'POST',
    headers: { ...headers, 'x-amz-target': 'AmazonSQS.ChangeMessageVisibilityBatch' },
    body: JSON.stringify({ QueueUrl, Entries }),
  });
}
