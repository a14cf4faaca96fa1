import { SESSION_COOKIE, SIGN_IN_COOKIE } from '../../contracts/base/edge.ts';
import type { SentRequest } from '../../domain/accounts/ports.ts';
import { invalidField } from '../../domain/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';

/** A request, as API Gateway hands it over. */
export type SentCookies = Pick<SentRequest, 'headers' | 'cookies' | 'body'>;

type Headers = SentRequest['headers'];

const HOST = /^(.*?)(?::(\d{1,5}))?$/s;

interface Place {
  readonly name: string;
  /** Undefined where a browser would drop the cookie, or show it to the network. */
  readonly security: '; Secure' | '' | undefined;
}

/** By https, and on the machine itself, before the port. */
const NAMES = {
  session: [SESSION_COOKIE, 'evalgate'],
  signIn: [SIGN_IN_COOKIE, 'evalgate-sign-in'],
} as const;
type Cookie = keyof typeof NAMES;

/** Cookies ignore ports: services beside each other on one machine have a name each. */
function placeOf({ host = '', 'x-forwarded-proto': scheme }: Headers, cookie: Cookie): Place {
  const [secure, local] = NAMES[cookie];
  if (scheme === 'https') return { name: secure, security: '; Secure' };
  const [, hostname = '', port = '80'] = HOST.exec(host.toLowerCase()) ?? [];
  return isLoopback(hostname)
    ? { name: `${local}-${port}`, security: '' }
    : { name: secure, security: undefined };
}

/** Whether one of the service's own pages has sent the request: a browser says so, and no page can. */
const isOfOwnPage = ({ headers }: Pick<SentCookies, 'headers'>): boolean =>
  headers['sec-fetch-site'] === 'same-origin';

/** What we signed into it, if one of the service's own pages has sent the request. */
export function cookieIn(sent: SentCookies, cookie: Cookie): string | undefined {
  const { headers, cookies = [] } = sent;
  if (!isOfOwnPage(sent)) return undefined;
  const before = `${placeOf(headers, cookie).name}=`;
  const [sole, another] = cookies.filter((cookie) => cookie.startsWith(before));
  return another === undefined ? sole?.slice(before.length) : undefined;
}

/** 400 where a browser would not keep it. */
export function cookieToSet(
  headers: Headers,
  cookie: Cookie = 'session',
): (value: string, seconds: number) => string {
  const { name, security } = placeOf(headers, cookie);
  if (security === undefined) {
    throw invalidField('host', 'is reached by plain http: open it by https, or on the machine itself');
  }
  return (value, seconds) =>
    `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${security}`;
}

const JSON_TYPE = /^application\/json *(;|$)/i;

/** Forms of other pages can send what is no JSON. */
export function requireJson({ headers, body = '' }: Pick<SentCookies, 'headers' | 'body'>): void {
  if (body === '' || JSON_TYPE.test(headers['content-type'] ?? '')) return;
  throw invalidField('body', 'must be sent as Content-Type: application/json');
}

/** What a page of another site sends begins and ends no sign-in. */
export function requireOwnPage(headers: Headers): void {
  if (!isOfOwnPage({ headers }))
    throw invalidField(
      'sec-fetch-site',
      'must be same-origin: the pages of this service send this request, and no other',
    );
  requireJson({ headers, body: 'sent' });
}
