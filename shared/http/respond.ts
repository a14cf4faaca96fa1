import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Contract } from '../contracts/base/contract.ts';
import { AppError } from '../domain/errors.ts';
import { describeError, type Log } from '../runtime/log.ts';

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly cookies?: readonly string[];
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/** The answer as its contract declares it: other fields are dropped, a missing field is a 500. */
export function respond(
  contract: Contract,
  { status, body, headers, cookies }: Answer,
): APIGatewayProxyStructuredResultV2 {
  const schema = contract.responses[status];
  if (schema === undefined) throw new Error(`${contract.id} declares no answer with status ${status}`);
  const sent = { statusCode: status, ...(cookies && { cookies: [...cookies] }) };
  if (schema === null) return { ...sent, headers: { 'cache-control': 'no-store', ...headers } };
  return {
    ...sent,
    headers: { ...HEADERS, ...headers },
    body: contract.isPage ? String(schema.parse(body)) : JSON.stringify(schema.parse(body)),
  };
}

const UNEXPECTED =
  'Something went wrong on our side. Try again; if it stays, tell us the request_id in details.';

/** The words of SQLite, which the engine of a service on one machine passes on. */
const DISK = /disk is full|disk I\/O error|readonly database/;

const ofDisk = (error: unknown): AppError | undefined =>
  error instanceof Error && DISK.test(error.message)
    ? new AppError(
        'STORAGE_FULL',
        "The disk of the service is full or can't be written to: make room there.",
        {
          retry_after_seconds: 10,
        },
      )
    : undefined;

/** Errors for the caller are answered as they are. All others become a fixed sentence and a log line. */
export function respondToError(
  error: unknown,
  { log, requestId }: { log: Log; requestId: string },
): APIGatewayProxyStructuredResultV2 {
  const known = error instanceof AppError ? error : undefined;
  if (known === undefined)
    log('error', 'unexpected_error', { request_id: requestId, ...describeError(error) });
  const { code, message, details, status } =
    known ?? ofDisk(error) ?? new AppError('INTERNAL_ERROR', UNEXPECTED, { request_id: requestId });
  const required = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const allow = status === 405 ? { allow: [details?.allow].flat().join(', ') } : {};
  const seconds = details?.retry_after_seconds;
  const retry = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return {
    statusCode: status,
    headers: { ...HEADERS, ...required, ...allow, ...retry },
    body: JSON.stringify({ error: { code, message, ...(details && { details }) } }),
  };
}
