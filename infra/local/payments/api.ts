import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeError } from '../../../shared/runtime/log.ts';
import { parseTarget } from '../http/apiGatewayEvent.ts';
import { readBody } from '../http/requestBody.ts';
import { logLine } from '../log.ts';
import { parseForm } from './form.ts';
import { OPERATIONS } from './operations.ts';
import { ProviderError } from './providerError.ts';
import type { PaymentStore } from './store.ts';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
}

/** Undefined: the answer is lost. */
export type PaymentApi = (request: ApiRequest) => Promise<ApiAnswer | undefined>;

export interface ApiDependencies {
  readonly store: PaymentStore;
  readonly now: () => number;
  readonly baseUrl: () => string;
}

export function answerOf({ store, now, baseUrl }: ApiDependencies, request: ApiRequest): ApiAnswer {
  const { method, path, query, headers, body } = request;
  try {
    if (headers.authorization === undefined || !isSame(headers.authorization, `Bearer ${store(secretKey)}`))
      throw new ProviderError(401, 'Invalid API Key provided.');
    const operation = OPERATIONS.find((one) => one.method === method && one.path.test(path));
    if (operation === undefined)
      throw new ProviderError(404, `Unrecognized request URL (${method}: ${path}).`);
    const [, id = ''] = operation.path.exec(path) ?? [];
    const form = parseForm(method === 'POST' ? body : query);
    const object = store((state) => operation.run({ state, nowMs: now(), baseUrl: baseUrl() }, form, id));
    return { status: 200, body: JSON.stringify(object) };
  } catch (error) {
    return refusal(error);
  }
}

export function refusal(error: unknown): ApiAnswer {
  if (!(error instanceof ProviderError)) throw error;
  return { status: error.status, body: JSON.stringify(error.toBody()) };
}

const secretKey = (state: { readonly secretKey: string }): string => state.secretKey;
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other));

export interface PaymentApiServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Loopback only, wherever the service itself listens. */
const HOST = '127.0.0.1';
const BODY_MAX_BYTES = 1_024 * 1_024;

/** Serves the provider's API on its own loopback port: the SDK can be given a host and port, and no path. */
export async function startPaymentApiServer(api: PaymentApi): Promise<PaymentApiServer> {
  const server = createServer((request, response) => void serve(api, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(api: PaymentApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { method = '', url = '/', headers } = request;
    const body = (await readBody(request, BODY_MAX_BYTES)).toString();
    const { rawPath: path, rawQueryString: query } = parseTarget(url);
    const answer = await api({ method, path, query, headers, body });
    if (answer === undefined) return void response.destroy();
    const requestId = `req_${randomBytes(12).toString('hex')}`;
    response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': requestId });
    response.end(answer.body);
  } catch (error) {
    // Our client sees a lost answer, and tries again.
    logLine('error', 'payment_simulation_failed', describeError(error));
    response.destroy();
  }
}
