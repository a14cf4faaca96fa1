import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { invalidField } from '../domain/errors.ts';

/** The largest answer of a synchronous Lambda invocation. */
const ANSWER_BYTES_MAX = 6 * 1_024 * 1_024;
/** Traffic out of AWS costs more than the time that compression takes. */
const COMPRESSED_FROM_BYTES = 2 * 1_024;

type Answer = APIGatewayProxyStructuredResultV2;

/** What stays too large when compressed becomes the first `shorter` form that fits; a read without one gets an error. */
export function fitAnswer(
  event: APIGatewayProxyEventV2,
  answer: Answer,
  shorter: readonly (() => Answer)[] = [],
): Answer {
  const takesGzip = acceptsGzip(event.headers['accept-encoding']);
  let sent = encoded(answer, takesGzip);
  for (const shortForm of shorter) {
    if (fits(sent)) break;
    sent = encoded(shortForm(), takesGzip);
  }
  if (fits(sent) || shorter.length > 0) return sent;
  // The write was made: only a read can be answered with an error.
  if (!['GET', 'HEAD'].includes(event.requestContext.http.method)) return sent;
  throw tooLarge(takesGzip);
}

const fits = ({ body = '' }: Answer): boolean => Buffer.byteLength(body) <= ANSWER_BYTES_MAX;

function encoded(answer: Answer, takesGzip: boolean): Answer {
  const { body } = answer;
  if (body === undefined || body.length < COMPRESSED_FROM_BYTES) return answer;
  const varying = { ...answer, headers: { ...answer.headers, vary: 'accept-encoding' } };
  return takesGzip ? compressed(varying, body) : varying;
}

const tooLarge = (isCompressed: boolean) =>
  isCompressed
    ? invalidField('pageSize', 'the answer would be larger than 6 MB even compressed: ask for a smaller page')
    : invalidField(
        'accept-encoding',
        'the answer would be larger than 6 MB: send the header "Accept-Encoding: gzip" (curl --compressed)',
      );

/** `gzip;q=0` refuses it. */
export const acceptsGzip = (accepted = ''): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);

const compressed = (answer: Answer, body: string) => ({
  ...answer,
  headers: { ...answer.headers, 'content-encoding': 'gzip' },
  body: gzipSync(body).toString('base64'),
  isBase64Encoded: true,
});
