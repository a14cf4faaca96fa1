import { SESSION_COOKIE } from '../../contracts/base/edge.ts';
import { invalidField } from '../../domain/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';

/** A request, as API Gateway hands it over. */
export interface SentCookies {
  readonly headers: Headers;
  readonly cookies?: readonly string[];
  readonly body?: string;
}

type Headers = Readonly<Record<string, string | undefined>>;

const HOST = /^(.*?)(?::(\d{1,5}))?$/s;

interface Place {
  readonly name: string;
  /** Undefined where a browser would drop the cookie, or show it to the network. */
  readonly security: '; Secure' | '' | undefined;
}

/** Cookies ignore ports: services beside each other on one machine have a name each. */
function placeOf({ host = '', 'x-forwarded-proto': scheme }: Headers): Place {
  if (scheme === 'https') return { name: SESSION_COOKIE, security: '; Secure' };
  const [, hostname = '', port = '80'] = HOST.exec(host.toLowerCase()) ?? [];
  return isLoopback(hostname)
    ? { name: `evalgate-${port}`, security: '' }
    : { name: SESSION_COOKIE, security: undefined };
}

/** The session's token, if one of the service's own pages has sent the request: a browser says so, and no page can. */
export function sessionIn({ headers, cookies = [] }: SentCookies): string | undefined {
  if (headers['sec-fetch-site'] !== 'same-origin') return undefined;
  const before = `${placeOf(headers).name}=`;
  const [found, another] = cookies.filter((cookie) => cookie.startsWith(before));
  return another === undefined ? found?.slice(before.length) : undefined;
}

/** 400 where a browser would not keep it. */
export function cookieToSet(headers: Headers): (value: string, seconds: number) => string {
  const { name, security } = placeOf(headers);
  if (security === undefined) {
    throw invalidField('host', 'is reached by plain http: open it by https, or on the machine itself');
  }
  return (value, seconds) =>
    `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${security}`;
}
