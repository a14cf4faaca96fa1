import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { BODY_VALUES_MAX, bodyLimitOf, gzipLimitsOf, tooLargeFor } from '../contracts/base/bodyLimits.ts';
import type { Contract } from '../contracts/base/contract.ts';
import { firstRepeatedPath } from '../contracts/json/repeatedNames.ts';
import { firstRounded } from '../contracts/json/roundedNumbers.ts';
import { holdsMoreValues } from '../contracts/json/valueCount.ts';
import { invalidField } from '../domain/errors.ts';
import { faultIn } from './faults.ts';
import type { UnpackGzip } from './gzip.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = '\ufeff';

export interface JsonBody {
  readonly value: unknown;
  readonly text: string;
  readonly largeIn: readonly string[];
}

export function refuseLargeBody(
  contract: Contract,
  { body = '', isBase64Encoded }: APIGatewayProxyEventV2,
): void {
  const limit = bodyLimitOf(contract);
  if (limit === undefined) return;
  if (Buffer.byteLength(body) > (isBase64Encoded ? Math.ceil(limit / 3) * 4 : limit)) {
    throw invalidField('body', tooLargeFor(limit));
  }
}

/** 400 for a value that could not be stored exactly. The check costs less than `JSON.parse` for any body. */
export function readJsonBody(
  contract: Contract,
  event: APIGatewayProxyEventV2,
  unpack: UnpackGzip | undefined,
): JsonBody {
  const contentType = event.headers['content-type'];
  if (contentType !== undefined && !/^application\/(json|[\w.-]+\+json) *(;|$)/i.test(contentType)) {
    throw invalidField('body', 'must be sent as Content-Type: application/json');
  }
  const sent = readText(contract, event, unpack);
  const text = sent.startsWith(BYTE_ORDER_MARK) ? sent.slice(BYTE_ORDER_MARK.length) : sent;
  const value = parse(text);
  const { fault, largeIn, names } = faultIn(value);
  if (fault !== undefined) throw invalidField(fault.path.join('.') || 'body', fault.message);
  const repeated = firstRepeatedPath(text, names);
  if (repeated !== undefined) throw invalidField(shown(repeated), NAMED_TWICE);
  return { value, text, largeIn };
}

const NAMED_TWICE = 'is named twice in its object, and readers differ in which they keep: leave one out';
const SHOWN_NAME_LENGTH_MAX = 100;

const shown = (path: readonly string[]): string =>
  path.map((name) => name.slice(0, SHOWN_NAME_LENGTH_MAX).toWellFormed()).join('.') || 'body';

/** Fields of the contract are returned exactly as they were sent. Other fields are dropped. */
export function refuseRounded({ text, largeIn }: JsonBody, contractFields: readonly string[]): void {
  const fields = largeIn.filter((field) => contractFields.includes(field));
  if (fields.length === 0) return;
  const rounded = firstRounded(text, fields);
  if (rounded === undefined) return;
  throw invalidField(
    rounded.path.join('.'),
    `holds a number beyond 2^53 that JSON readers round to ${rounded.value}: write that, or a string`,
  );
}

export const readRawBody = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** Loaded with the first packed body: few bodies are large enough to be packed. */
export const unpackerFor = async ({ headers }: APIGatewayProxyEventV2): Promise<UnpackGzip | undefined> =>
  headers['content-encoding'] === undefined ? undefined : (await import('./gzip.ts')).unpackGzip;

function readText(contract: Contract, event: APIGatewayProxyEventV2, unpack: UnpackGzip | undefined): string {
  const isPacked = isGzipped(event.headers['content-encoding']);
  if (!isPacked && !event.isBase64Encoded) return event.body ?? '';
  const sent = readRawBody(event);
  const bytes = isPacked && unpack ? unpacked(contract, sent, unpack) : sent;
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidField('body', 'must be UTF-8');
  }
}

function isGzipped(contentEncoding = ''): boolean {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  const [coding = 'identity', ...otherCodings] = codings.filter((named) => named !== '');
  if (otherCodings.length === 0 && ['gzip', 'identity'].includes(coding)) return coding === 'gzip';
  throw invalidField(
    'body',
    'must be sent as it is, or with Content-Encoding: gzip, which may be applied once',
  );
}

function unpacked(contract: Contract, sent: Buffer, unpack: UnpackGzip): Buffer {
  const limits = gzipLimitsOf(contract);
  if (sent.length > limits.packed) throw invalidField('body', `${tooLargeFor(limits.packed)} as gzip`);
  const content = unpack(sent, limits.unpacked);
  if ('bytes' in content) return content.bytes;
  const messages = {
    broken: 'must be gzip, as Content-Encoding states, and is not, or is damaged or cut off',
    followed: 'must be a single gzip member without anything behind it',
    too_large: `${tooLargeFor(limits.unpacked)} when unpacked`,
  };
  throw invalidField('body', messages[content.fault]);
}

function parse(text: string): unknown {
  if (text.length > BODY_VALUES_MAX && holdsMoreValues(text, BODY_VALUES_MAX)) {
    throw invalidField('body', 'must not hold more than 1,000,000 values');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') throw invalidField('body', 'must be a JSON object, and is empty');
    const why = error instanceof Error ? mistakeIn(error.message) : '';
    throw invalidField('body', `must be JSON: ${why.toWellFormed() || 'it cannot be parsed'}`);
  }
}

/** V8's message without its quote of the body, which may hold a secret. */
function mistakeIn(message: string): string {
  const named = /^Unexpected (token '.'|end of JSON input)/su.exec(message)?.[0];
  if (named !== undefined) return named;
  return / at position \d/.test(message) && !message.includes('"') ? message : '';
}
