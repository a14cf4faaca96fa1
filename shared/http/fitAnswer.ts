import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { invalidField } from '../domain/errors.ts';

/** The largest answer of a synchronous Lambda invocation. */
const ANSWER_BYTES_MAX = 6 * 1_024 * 1_024;
/** Traffic out of AWS costs more than the time that compression takes. */
const COMPRESSED_FROM_BYTES = 2 * 1_024;

/** What stays too large when compressed becomes its `shorter` form; a read without one gets an error. */
export function fitAnswer(
  event: APIGatewayProxyEventV2,
  answer: APIGatewayProxyStructuredResultV2,
  shorter?: () => APIGatewayProxyStructuredResultV2,
): APIGatewayProxyStructuredResultV2 {
  const { body } = answer;
  if (body === undefined || body.length < COMPRESSED_FROM_BYTES) return answer;
  const varying = { ...answer, headers: { ...answer.headers, vary: 'accept-encoding' } };
  const fitted = takesGzip(event.headers['accept-encoding']) ? compressed(varying, body) : varying;
  if (Buffer.byteLength(fitted.body ?? '') <= ANSWER_BYTES_MAX) return fitted;
  if (shorter) return shorter();
  // The write was made: only a read can be answered with an error.
  if (!['GET', 'HEAD'].includes(event.requestContext.http.method)) return fitted;
  throw tooLarge(takesGzip(event.headers['accept-encoding']));
}

const tooLarge = (isCompressed: boolean) =>
  isCompressed
    ? invalidField('pageSize', 'the answer would be larger than 6 MB even compressed: ask for a smaller page')
    : invalidField(
        'accept-encoding',
        'the answer would be larger than 6 MB: send the header "Accept-Encoding: gzip" (curl --compressed)',
      );

/** `gzip;q=0` refuses it. */
const takesGzip = (accepted = ''): boolean => /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);

const compressed = (answer: APIGatewayProxyStructuredResultV2, body: string) => ({
  ...answer,
  headers: { ...answer.headers, 'content-encoding': 'gzip' },
  body: gzipSync(body).toString('base64'),
  isBase64Encoded: true,
});
