import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { ONLY_READ } from '../../../clients/pages/app.ts';
import type { Secret } from '../../../shared/domain/byok/secret.ts';
import { AppError } from '../../../shared/domain/errors.ts';
import { EXPOSITION_TYPE } from '../metrics/exposition.ts';
import { errorAnswer } from './answer.ts';
import { isFromHere } from './fromHere.ts';
import type { PageRequest, Pages } from './httpServer.ts';

interface Access {
  readonly token: Secret | undefined;
  /** Whether only programs of this machine reach the service, as far as its settings show. */
  readonly isLocal: boolean;
}

const PATH = '/metrics';

export const metricsPage =
  (access: Access, text: () => string): Pages =>
  (request) => {
    if (request.path !== PATH) return undefined;
    return Promise.resolve(answerTo(access, request, text));
  };

function answerTo(access: Access, request: PageRequest, text: () => string) {
  if (!['GET', 'HEAD'].includes(request.method)) return ONLY_READ;
  const { token } = access;
  const mayRead = token === undefined ? access.isLocal && isFromHere(request) : presents(request, token);
  if (!mayRead) return errorAnswer(token === undefined ? NOT_HERE : NO_TOKEN, randomUUID());
  const headers = { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' };
  return { statusCode: 200, headers, body: text() };
}

const NO_TOKEN = new AppError(
  'UNAUTHORIZED',
  'Send the METRICS_TOKEN of this service as "Authorization: Bearer <token>".',
);
const NOT_HERE = new AppError(
  'UNAUTHORIZED',
  'Without METRICS_TOKEN only programs of this machine may read the metrics, of a service that listens on a loopback address and is behind no proxy. Start it with METRICS_TOKEN, and send that as "Authorization: Bearer <token>".',
);

const BEARER = /^bearer +(\S+)$/i;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const presents = ({ headers }: PageRequest, token: Secret): boolean =>
  timingSafeEqual(digest(BEARER.exec(headers.authorization ?? '')?.[1] ?? ''), digest(token.reveal()));
