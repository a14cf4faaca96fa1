import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request and its answer on the wire. */
export interface Exchange {
  /** AWS's operation, such as `PutItem`; elsewhere method and path. */
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: what went over the wire is for the reader to judge
  readonly sent: any;
  readonly sentBytes: number;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the reader to judge
  readonly answered: any;
  /** With headers, in HTTP/1.1's format. */
  readonly answeredBytes: number;
}

/** A proxy in front of an engine that records all exchanges. */
export interface Meter {
  readonly endpoint: string;
  /** In the order of their answers. */
  readonly exchanges: Exchange[];
  stop(): Promise<void>;
}

export async function startMeter(target: string): Promise<Meter> {
  const exchanges: Exchange[] = [];
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, response) => {
    const note = (exchange: Exchange) => void exchanges.push(exchange);
    pass({ agent, target, note }, incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    async stop() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Records an exchange before it passes the answer on. */
async function pass(
  { agent, target, note }: { agent: Agent; target: string; note: (exchange: Exchange) => void },
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming;
  const sent = Buffer.concat(await incoming.toArray());
  const answer = await ask(target + url, { agent, method, headers }, sent, response);
  const { statusCode = 0, rawHeaders } = answer;
  const answered = Buffer.concat(await answer.toArray());
  note({
    operation: String(headers['x-amz-target'] ?? `${method} ${url}`).replace(/^.*\./, ''),
    sent: parsed(sent),
    sentBytes: sent.length,
    status: statusCode,
    answered: parsed(answered),
    answeredBytes: headBytes(answer) + answered.length,
  });
  response.writeHead(statusCode, rawHeaders).end(answered);
}

async function ask(
  url: string,
  options: RequestOptions,
  body: Buffer,
  response: ServerResponse,
): Promise<IncomingMessage> {
  const engineRequest = request(url, options);
  // A client that gives up, such as a stopping reader of the queue, also ends the engine's request.
  response.once('close', () => response.writableEnded || engineRequest.destroy());
  engineRequest.end(body);
  const [answer] = await once(engineRequest, 'response');
  return answer;
}

function headBytes({ statusCode, statusMessage, rawHeaders }: IncomingMessage): number {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const lines = names.map((name, index) => `${name}: ${rawHeaders[2 * index + 1]}`);
  const head = [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''];
  return Buffer.byteLength(head.join('\r\n'));
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
