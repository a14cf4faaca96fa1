import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Match } from './router.ts';

export interface RequestTarget {
  readonly rawPath: string;
  readonly rawQueryString: string;
}

export interface EventSource {
  readonly request: IncomingMessage;
  readonly target: RequestTarget;
  readonly match: Match;
  readonly body: Buffer;
  readonly requestId: string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Parses a request target: a path, or a whole URL. */
export function parseTarget(url: string): RequestTarget {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const queryStart = target.indexOf('?');
  if (queryStart === -1) return { rawPath: target === '' ? '/' : target, rawQueryString: '' };
  return {
    rawPath: target.slice(0, queryStart) || '/',
    rawQueryString: target.slice(queryStart + 1),
  };
}

/** The event of API Gateway's HTTP API, payload format 2.0. */
export function toApiGatewayEvent(source: EventSource): APIGatewayProxyEventV2 {
  const { request, target, match, body } = source;
  const { cookie, ...headers } = joinHeaders(request);
  const query = joinQuery(target.rawQueryString);
  const isText = isUtf8(body);
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath: target.rawPath,
    rawQueryString: target.rawQueryString,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(query === undefined ? {} : { queryStringParameters: query }),
    ...(Object.keys(match.pathParameters).length === 0
      ? {}
      : { pathParameters: { ...match.pathParameters } }),
    requestContext: requestContextOf(source, headers),
    ...(body.length === 0 ? {} : { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: !isText,
  };
}

function requestContextOf(
  { request, target, match, requestId }: EventSource,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyEventV2['requestContext'] {
  const now = new Date();
  return {
    accountId: '000000000000',
    apiId: 'local',
    domainName: headers.host ?? 'localhost',
    domainPrefix: 'local',
    http: {
      method: request.method ?? '',
      path: target.rawPath,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: sourceIpOf(request),
      userAgent: headers['user-agent'] ?? '',
    },
    requestId,
    routeKey: match.routeKey,
    stage: '$default',
    time: logTime(now),
    timeEpoch: now.getTime(),
  };
}

/** The connection's address; an IPv4 address mapped into IPv6 is written as IPv4. */
function sourceIpOf(request: IncomingMessage): string {
  return (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

function joinHeaders(request: IncomingMessage): Record<string, string> {
  const headers = Object.entries(request.headersDistinct);
  return Object.fromEntries(
    headers.map(([name, values]) => [name, (values ?? []).join(name === 'cookie' ? '; ' : ',')]),
  );
}

/** Joins repeated names by commas and leaves a stray "%" as it is. */
function joinQuery(rawQueryString: string): Record<string, string> | undefined {
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return joined.size === 0 ? undefined : Object.fromEntries(joined);
}

/** As in web server logs: `21/Nov/2026:08:15:00 +0000`. */
function logTime(now: Date): string {
  const day = String(now.getUTCDate()).padStart(2, '0');
  const time = now.toISOString().slice(11, 19);
  return `${day}/${MONTHS[now.getUTCMonth()]}/${now.getUTCFullYear()}:${time} +0000`;
}
