import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../contracts/base/edge.ts';
import { notFound } from '../domain/errors.ts';
import type { Config } from '../runtime/config.ts';

type OriginSecrets = Config['originSecrets'];

/**
 * Who sent the request. Without an edge in front it is the connection's own address, never a header's. Behind the
 * edge the connection is the edge's: there the one header counts that the edge sets, and only with its secret.
 */
export function clientAddress(
  event: APIGatewayProxyEventV2,
  originSecrets: OriginSecrets,
): string | undefined {
  const { sourceIp } = event.requestContext.http;
  if (originSecrets === undefined) return sourceIp;
  if (!cameThroughEdge(event, originSecrets)) return undefined;
  // Counted under the edge's address where it does not say: too strict for many, but nobody goes uncounted.
  return viewerAddress(event.headers[VIEWER_ADDRESS_HEADER]) ?? sourceIp;
}

/** IPv6 comes without brackets, so that the port is what follows the last colon. */
function viewerAddress(header = ''): string | undefined {
  const address = header.slice(0, Math.max(0, header.lastIndexOf(':'))).replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}

function cameThroughEdge({ headers }: APIGatewayProxyEventV2, originSecrets: readonly string[]): boolean {
  const presented = digest(headers[ORIGIN_SECRET_HEADER] ?? '');
  return originSecrets.filter((secret) => timingSafeEqual(digest(secret), presented)).length > 0;
}

/** Equally long, whatever was sent. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Answers 404 to whoever goes around the edge and so around its limits. Nothing else runs for such a request. */
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
