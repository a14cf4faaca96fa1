import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../contracts/base/edge.ts';
import { notFound } from '../domain/errors.ts';
import type { Config } from '../runtime/config.ts';

type OriginSecrets = Config['originSecrets'];

/**
 * The client's address. Without an edge it is the connection's address, never a header's. Behind the edge it is in
 * the one header that the edge sets, which counts only with the edge's secret.
 */
export function clientAddress(
  event: APIGatewayProxyEventV2,
  originSecrets: OriginSecrets,
): string | undefined {
  const { sourceIp } = event.requestContext.http;
  if (originSecrets === undefined) return sourceIp;
  if (!cameThroughEdge(event, originSecrets)) return undefined;
  // Without that header the request counts under the edge's address, so that every request is counted.
  return viewerAddress(event.headers[VIEWER_ADDRESS_HEADER]) ?? sourceIp;
}

/** IPv6 addresses have no brackets here: the port follows the last colon. */
function viewerAddress(header = ''): string | undefined {
  const address = header.slice(0, Math.max(0, header.lastIndexOf(':'))).replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}

function cameThroughEdge({ headers }: APIGatewayProxyEventV2, originSecrets: readonly string[]): boolean {
  const presented = digest(headers[ORIGIN_SECRET_HEADER] ?? '');
  return originSecrets.filter((secret) => timingSafeEqual(digest(secret), presented)).length > 0;
}

/** Hashed, so that both texts have the same length. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Answers 404 to requests that bypass the edge and its limits. Nothing else runs for them. */
export const onlyThroughEdge = ({
  originSecrets,
}: Pick<Config, 'originSecrets'>): middy.MiddlewareObj<
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2
> => ({
  before: ({ event }) => {
    if (originSecrets === undefined || cameThroughEdge(event, originSecrets)) return;
    throw notFound("resource at this address: use the service's own base URL");
  },
});
