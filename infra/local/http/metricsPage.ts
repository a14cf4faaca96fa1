import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ONLY_READ } from '../../../clients/pages/app.ts';
import type { Secret } from '../../../shared/domain/byok/secret.ts';
import { AppError } from '../../../shared/domain/errors.ts';
import { isLoopback } from '../../../shared/runtime/loopback.ts';
import { EXPOSITION_TYPE } from '../metrics/exposition.ts';
import { errorAnswer } from './answer.ts';
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

/** What proxies and tunnels add. */
const FORWARDED =
  /^(forwarded|via|true-client-ip|x-(real-ip|(client|forwarded|original)-.+)|(cf|tailscale)-.+)$/;

/** A proxy calls from this machine, too: by HTTP/1.0, under its own name, or with a header about its caller. */
function isFromHere({ headers, httpVersion, remoteAddress }: PageRequest): boolean {
  const isProxied = Object.keys(headers).some((name) => FORWARDED.test(name));
  return isOfLoopback(remoteAddress) && httpVersion === '1.1' && isHostOfLoopback(headers) && !isProxied;
}

interface Place {
  /** `HOST`. */
  readonly host: string;
  readonly baseUrl: string | undefined;
  readonly originSecrets: readonly string[] | undefined;
}

/** Whether neither the address nor the settings of the service lead other machines to it. */
export const isLocal = ({ host, baseUrl, originSecrets }: Place): boolean =>
  isOfLoopback(host) &&
  originSecrets === undefined &&
  (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));

/** Of addresses as sockets and `HOST` have them. */
function isOfLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isLoopback(plain.includes(':') ? `[${plain}]` : plain);
}

const isHostOfLoopback = ({ host = '' }: IncomingHttpHeaders): boolean =>
  isLoopback(host.replace(/:\d+$/, ''));
