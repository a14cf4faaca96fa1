import { once } from 'node:events';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { AddressNotAllowed, checkedLookup, type Reach, type Resolve } from './address.ts';

/** Of an answer, unless the caller names less. */
const RESPONSE_BYTES_MAX = 1_048_576;
const ERROR_BYTES_MAX = 65_536;
/** Shorter than providers keep idle connections, so that few calls meet a connection that is being closed. */
const IDLE_CONNECTION_MS = 4_000;

/** No other header is sent: no telemetry of the SDKs, no header that the environment adds for another host. */
const HEADERS_SENT = ['accept', 'anthropic-version', 'api-key', 'authorization', 'content-type'];
const HEADERS_KEPT = ['content-type', 'retry-after', 'retry-after-ms', 'x-should-retry'];

export type TransportProblem = 'timeout' | 'connection' | 'redirect' | 'unreadable' | 'address';

class TransportError extends Error {
  readonly problem: TransportProblem;

  constructor(problem: TransportProblem) {
    super(problem);
    this.problem = problem;
  }
}

interface ConnectionOptions {
  readonly reach: Reach;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly resolve: Resolve | undefined;
  readonly bytesMax?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One call to a provider: a `fetch` for its SDK, and its outcome as the connection saw it. */
export interface Connection {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly problem: TransportProblem | undefined;
  readonly answer: HttpAnswer | undefined;
}

export type Connect = (options: ConnectionOptions) => Connection;

/** Connections are shared only by calls that may reach the same addresses. */
export function createConnect(): Connect {
  const idle = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  const agents = new Map<string, HttpAgent>();
  const agentOf = (protocol: string, reach: Reach) => {
    const key = `${protocol} ${reach}`;
    const agent = agents.get(key) ?? (protocol === 'https:' ? new HttpsAgent(idle) : new HttpAgent(idle));
    agents.set(key, agent);
    return agent;
  };
  return (options) => new OneConnection(options, agentOf);
}

class OneConnection implements Connection {
  problem: TransportProblem | undefined;
  answer: HttpAnswer | undefined;
  readonly fetch: Connection['fetch'];

  constructor(options: ConnectionOptions, agentOf: (protocol: string, reach: Reach) => HttpAgent) {
    this.fetch = async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      try {
        this.answer = await send(url, init, agentOf(url.protocol, options.reach), options);
      } catch (error) {
        this.problem = error instanceof TransportError ? error.problem : 'connection';
        throw new TypeError('the call to the provider failed');
      }
      return toResponse(this.answer);
    };
  }
}

function toResponse({ status, headers, text }: HttpAnswer): Response {
  return new Response(status === 204 || status === 205 ? null : text, { status, headers });
}

async function send(
  url: URL,
  init: RequestInit,
  agent: HttpAgent,
  options: ConnectionOptions,
): Promise<HttpAnswer> {
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: url.pathname + url.search,
    method: init.method ?? 'GET',
    headers: headersSent(init),
    agent,
    lookup: checkedLookup(options.reach, options.resolve),
  });
  let stopped: TransportError | undefined;
  const stop = (problem: TransportProblem) => {
    stopped ??= new TransportError(problem);
    request.destroy(stopped);
  };
  // Without a listener an error after the answer would end the process.
  request.on('error', () => {});
  boundConnecting(request, options.connectTimeoutMs, () => stop('connection'));
  const deadline = setTimeout(() => stop('timeout'), options.timeoutMs);
  try {
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    request.end(typeof init.body === 'string' ? init.body : undefined);
    const [response] = await answered;
    return await read(response, options.bytesMax ?? RESPONSE_BYTES_MAX);
  } catch (error) {
    request.destroy();
    if (stopped !== undefined) throw stopped;
    throw error instanceof AddressNotAllowed ? new TransportError('address') : error;
  } finally {
    clearTimeout(deadline);
  }
}

function headersSent(init: RequestInit): Record<string, string> {
  const given = new Headers(init.headers);
  const sent = HEADERS_SENT.flatMap((name) => {
    const value = given.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(sent), 'accept-encoding': 'identity', 'user-agent': 'evalgate' };
}

/** Without effect on a reused connection. */
function boundConnecting(request: ClientRequest, limitMs: number, late: () => void): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(late, limitMs);
    const done = () => clearTimeout(timer);
    socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', done);
    socket.once('close', done);
  });
}

async function read(response: IncomingMessage, bytesMax: number): Promise<HttpAnswer> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) throw new TransportError('redirect');
  if (status < 200 || status > 599) throw new TransportError('unreadable');
  const headers = new Headers();
  for (const name of HEADERS_KEPT) {
    const value = response.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return {
    status,
    headers,
    text: status < 400 ? await readWhole(response, bytesMax) : await readStart(response),
  };
}

/** Answers are not decompressed, since a small one could unpack to any size. Compression was not asked for. */
async function readWhole(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new TransportError('unreadable');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The status says what failed: the error's text may be cut. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > ERROR_BYTES_MAX) break;
    }
  } catch {
    // The text before the connection broke is enough.
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, ERROR_BYTES_MAX);
}
