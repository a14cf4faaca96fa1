import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeError } from '../../../shared/runtime/log.ts';
import { parseTarget } from '../http/apiGatewayEvent.ts';
import { BodyAbortedError, readBody } from '../http/requestBody.ts';
import { logLine } from '../log.ts';
import type { PaymentApi } from './api.ts';

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
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body));
  } catch (error) {
    if (error instanceof BodyAbortedError) {
      response.destroy();
      return;
    }
    logLine('error', 'payment_simulation_failed', describeError(error));
    const body = {
      error: { type: 'api_error', message: 'The simulated payment provider failed: see its log.' },
    };
    response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}
