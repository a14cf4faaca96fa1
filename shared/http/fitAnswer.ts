import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { invalidField } from '../domain/errors.ts';

/** A synchronous Lambda invocation answers 6 MB. */
const ANSWER_BYTES_MAX = 6 * 1_024 * 1_024;
const COMPRESSED_FROM_BYTES = 256 * 1_024;

/** Large answers travel compressed where the caller takes that; one that still can't travel says how to ask for less. */
export function fitAnswer(
  event: APIGatewayProxyEventV2,
  answer: APIGatewayProxyStructuredResultV2,
): APIGatewayProxyStructuredResultV2 {
  const { body } = answer;
  if (body === undefined || body.length < COMPRESSED_FROM_BYTES) return answer;
  const takesGzip = /\bgzip\b/.test(event.headers['accept-encoding'] ?? '');
  const fitted = takesGzip ? compressed(answer, body) : answer;
  // What was written is written: only a read can be asked for again.
  const isRead = event.requestContext.http.method === 'GET';
  if (isRead && Buffer.byteLength(fitted.body ?? '') > ANSWER_BYTES_MAX) {
    const ways = 'ask with "Accept-Encoding: gzip", and where there are pages for a smaller pageSize';
    throw invalidField('pageSize', `the answer would be larger than 6 MB: ${ways}`);
  }
  return fitted;
}

const compressed = (answer: APIGatewayProxyStructuredResultV2, body: string) => ({
  ...answer,
  headers: { ...answer.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
  body: gzipSync(body).toString('base64'),
  isBase64Encoded: true,
});
