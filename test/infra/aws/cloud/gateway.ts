import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { routeKeysOf } from '../../../../infra/aws/functions.ts';
import type { Handler } from '../../../../infra/local/http/functions.ts';
import { type Pages, startHttpServer } from '../../../../infra/local/http/httpServer.ts';
import { VIEWER_ADDRESS_HEADER } from '../../../../shared/contracts/base/edge.ts';
import { contracts } from '../../../../shared/contracts/registry.ts';
import { HANG_MS } from '../../../support/service.ts';
import type { Deployed, DeployedEdge } from './deployed.ts';
import { FunctionError } from './functionProcess.ts';

export interface Gateway {
  /** CloudFront's address, for clients. */
  readonly baseUrl: string;
  /** The API's address behind the edge. */
  readonly originUrl: string;
  stop(): Promise<void>;
}

type Invoke = (functionId: string, event: unknown) => Promise<unknown>;

/** An HTTP API of the routes that were deployed, and the edge in front of it. */
export async function startGateway({ routes, edge }: Deployed, invoke: Invoke): Promise<Gateway> {
  const functions = new Map(
    contracts.map((contract) => [contract.id, integration(routes, routeKeysOf(contract), invoke)]),
  );
  const known = new Set(contracts.flatMap(routeKeysOf));
  const unknown = [...routes.keys()].filter((routeKey) => !known.has(routeKey));
  if (unknown.length > 0) throw new Error(`No contract has these routes: ${unknown.join(', ')}`);

  const edged = [...functions].map(([id, handler]): [string, Handler] => [
    id,
    (event, context) => handler(throughEdge(edge, event), context),
  ]);
  const pages: Pages = async ({ method, path }) => edge.answer(method, path);
  const serve = (handlers: ReadonlyMap<string, Handler>, ofEdge?: Pages) =>
    startHttpServer({
      host: '127.0.0.1',
      port: 0,
      contracts,
      functions: handlers,
      pages: ofEdge,
      // Functions end by their own timeout.
      handlerTimeoutMs: HANG_MS,
    });
  const servers = [await serve(new Map(edged), pages), await serve(functions)];
  const [baseUrl = '', originUrl = ''] = servers.map(({ port }) => `http://127.0.0.1:${port}`);
  return {
    baseUrl,
    originUrl,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

function integration(routes: Deployed['routes'], routeKeys: readonly string[], invoke: Invoke): Handler {
  const missing = routeKeys.filter((routeKey) => !routes.has(routeKey));
  if (missing.length > 0) throw new Error(`The deployment has no route ${missing.join(', ')}`);
  return async (event) => {
    const functionId = routes.get(event.routeKey) ?? '';
    try {
      return (await invoke(functionId, event)) as APIGatewayProxyStructuredResultV2;
    } catch (error) {
      if (error instanceof FunctionError) return INTERNAL_SERVER_ERROR;
      throw error;
    }
  };
}

/** API Gateway's answer for a failed function. */
const INTERNAL_SERVER_ERROR = {
  statusCode: 500,
  headers: { 'content-type': 'application/json' },
  body: '{"message":"Internal Server Error"}',
};

const EDGE_ADDRESS = '130.176.0.1';
/** The default source address of tests. */
const LOOPBACK = '127.0.0.1';

/** Keeps the forwarded headers and cookies of the viewer and sets the edge's own. */
function throughEdge(edge: DeployedEdge, event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const { cookies = [], headers, requestContext, ...rest } = event;
  const { http } = requestContext;
  const forwarded = Object.entries(headers).filter(([name]) => edge.forwardedHeaders.includes(name));
  const kept = cookies.filter((cookie) => edge.forwardedCookies.includes(cookie.split('=')[0] ?? ''));
  const viewer = http.sourceIp === LOOPBACK ? newAddress() : http.sourceIp;
  return {
    ...rest,
    ...(kept.length > 0 && { cookies: kept }),
    headers: {
      ...Object.fromEntries(forwarded),
      // API Gateway's own, which is reached by https alone.
      host: 'api.execute-api.eu-central-1.amazonaws.com',
      'x-forwarded-proto': 'https',
      ...edge.headers,
      'user-agent': 'Amazon CloudFront',
      // CloudFront always forwards it, after the addresses that the viewer claimed.
      'x-forwarded-for': [headers['x-forwarded-for'], viewer, EDGE_ADDRESS].filter(Boolean).join(', '),
      [VIEWER_ADDRESS_HEADER]: `${viewer}:50000`,
    },
    requestContext: { ...requestContext, http: { ...http, sourceIp: EDGE_ADDRESS } },
  };
}

let requests = 0;
/** A new network for every request, so that tests do not share rate limits. */
function newAddress(): string {
  requests++;
  return `2001:db8:${(requests >> 16).toString(16)}:${(requests & 0xffff).toString(16)}::1`;
}
