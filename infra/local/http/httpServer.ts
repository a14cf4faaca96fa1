import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { bodyLimitOf, PUBLIC_BODY_BYTES_MAX } from '../../../shared/contracts/base/bodyLimits.ts';
import type { Contract } from '../../../shared/contracts/base/contract.ts';
import { invalidField } from '../../../shared/domain/errors.ts';
import type { Turned } from '../../../shared/http/endpoint.ts';
import type { StorageWatch } from '../data/storageWatch.ts';
import { logLine } from '../log.ts';
import { errorCode, messageOf, StartupError } from '../startupError.ts';
import { errorAnswer, send } from './answer.ts';
import { type EventSource, parseTarget, toApiGatewayEvent } from './apiGatewayEvent.ts';
import { handleConnectionErrors } from './connectionErrors.ts';
import { type Handler, lambdaContext } from './functions.ts';
import { createLargeBodies, type LargeBodies } from './largeBodies.ts';
import { BodyAbortedError, readBody } from './requestBody.ts';
import { createRouter, type Match, type Router } from './router.ts';

export interface HttpServer {
  readonly port: number;
  /** Accepts no more requests and waits a limited time for those in flight. */
  stop(): Promise<void>;
}

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly contracts: readonly Contract[];
  readonly functions: ReadonlyMap<string, Handler>;
  readonly handlerTimeoutMs?: number;
  /** Pages for a browser; all other paths are the endpoints'. */
  readonly pages?: Pages | undefined;
  readonly storage?: StorageWatch | undefined;
  /** Of an endpoint `route` is its method and pattern, of all pages `page`. */
  readonly countAnswer?: ((route: string, status: number) => void) | undefined;
}

export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly httpVersion: string;
  /** Of the connection, which may be that of a proxy. */
  readonly remoteAddress: string;
}

/** Nothing for a path that is no page. */
export type Pages = (
  request: PageRequest,
) => Promise<APIGatewayProxyStructuredResultV2 | undefined> | undefined;

/** API Gateway's limit for an integration. */
const HANDLER_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than clients keep idle connections, so that none writes to one that is being closed. */
const KEEP_ALIVE_MS = 120_000;
const STOP_DEADLINE_MS = 5_000;

interface Front {
  readonly route: Router;
  readonly functions: ReadonlyMap<string, Handler>;
  readonly handlerTimeoutMs: number;
  readonly pages: Pages | undefined;
  readonly largeBodies: LargeBodies;
  readonly storage: StorageWatch | undefined;
  readonly countAnswer: HttpServerOptions['countAnswer'];
}

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const front: Front = {
    route: createRouter(options.contracts),
    functions: options.functions,
    handlerTimeoutMs: options.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS,
    pages: options.pages,
    largeBodies: createLargeBodies(),
    storage: options.storage,
    countAnswer: options.countAnswer,
  };
  const inFlight = new Map<ServerResponse, Promise<void>>();
  let stopping = false;
  const accept = (request: IncomingMessage, response: ServerResponse): void => {
    if (stopping) response.shouldKeepAlive = false;
    const answered = answer(front, request, response).finally(() => inFlight.delete(response));
    inFlight.set(response, answered);
  };
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
  });
  server.on('request', accept);
  server.on('checkExpectation', accept);
  handleConnectionErrors(server);
  const port = await listen(server, options);

  return {
    port,
    async stop() {
      stopping = true;
      // A connection kept alive after its answer would delay the stop.
      for (const response of inFlight.keys()) response.shouldKeepAlive = false;
      const closed = new Promise((resolve) => server.close(resolve));
      const deadline = new AbortController();
      const giveUp = delay(STOP_DEADLINE_MS, undefined, { signal: deadline.signal }).catch(() => {});
      await Promise.race([Promise.all([closed, ...inFlight.values()]), giveUp]);
      deadline.abort();
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)));
    server.listen(port, host, () => {
      server.on('error', (error) => logLine('error', 'http_server_failed', { error: error.message }));
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function cannotListen(error: Error, host: string, port: number): StartupError {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return new StartupError(
      `Port ${port} on ${host} is taken: stop what listens there, or choose another with PORT=<port> (0 takes any free one).`,
    );
  }
  if (code === 'EACCES') {
    return new StartupError(
      `Port ${port} needs privileges this user does not have: choose one above 1023 with PORT=<port>.`,
    );
  }
  return new StartupError(
    `Cannot listen on ${host} (${messageOf(error)}): set HOST to an address of this machine, such as 127.0.0.1.`,
  );
}

async function answer(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomUUID();
  const target = parseTarget(request.url ?? '/');
  const match = front.route(request.method ?? '', target.rawPath);
  const called = { request, target, match, requestId };
  const reply = (route: string, answered: APIGatewayProxyStructuredResultV2): void => {
    send(response, answered);
    front.countAnswer?.(route, response.statusCode);
  };
  try {
    const { route, answered } = await handle(front, called);
    reply(route, answered);
  } catch (error) {
    if (response.headersSent || error instanceof BodyAbortedError) response.destroy();
    else reply(match.routeKey, errorAnswer(error, requestId));
  }
}

async function handle(front: Front, called: Omit<EventSource, 'body'>) {
  const { request, target, match } = called;
  const { method = '', headers, httpVersion, socket } = request;
  if (httpVersion === '1.1' && headers.host === undefined) throw invalidField('host', 'is missing');
  const body = await bodyFor(match, request);
  const { remoteAddress = '' } = socket;
  const page = await front.pages?.({
    method,
    path: target.rawPath,
    headers,
    body,
    httpVersion,
    remoteAddress,
  });
  if (page !== undefined) return { route: 'page', answered: page };
  return { route: match.routeKey, answered: await invoke(front, { ...called, body }) };
}

/** Reads at most the contract's size. On pages and unknown paths a body that is too large counts as empty. */
function bodyFor({ contract }: Match, request: IncomingMessage): Promise<Buffer> {
  const limit = bodyLimitOf(contract);
  if (limit !== undefined) return readBody(request, limit);
  return readBody(request, PUBLIC_BODY_BYTES_MAX).catch((error: unknown) => {
    if (error instanceof BodyAbortedError) throw error;
    return Buffer.alloc(0);
  });
}

function eventOf({ largeBodies }: Front, source: EventSource): Turned {
  const { body, request } = source;
  const { authorization, cookie, 'content-encoding': coding = '' } = request.headers;
  const isPacked = coding.toLowerCase().includes('gzip');
  const takeTurn = largeBodies.turnOf(body, isPacked, authorization ?? cookie ?? '');
  const event = toApiGatewayEvent(source);
  return takeTurn === undefined ? event : { ...event, takeTurn };
}

async function invoke(front: Front, source: EventSource): Promise<APIGatewayProxyStructuredResultV2> {
  const { id } = source.match.contract;
  const handler = front.functions.get(id);
  if (handler === undefined) throw new Error(`The contract ${id} has no function.`);
  const context = lambdaContext(id, source.requestId, front.handlerTimeoutMs);
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const message = `${id} did not answer within ${front.handlerTimeoutMs} ms.`;
  const timer = setTimeout(() => reject(new Error(message)), front.handlerTimeoutMs);
  try {
    const answer = await Promise.race([handler(eventOf(front, source), context), timedOut]);
    return (await front.storage?.seen(id, answer)) ?? answer;
  } finally {
    clearTimeout(timer);
  }
}
