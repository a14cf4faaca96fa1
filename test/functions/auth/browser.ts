import { request } from 'node:http';
import { bodyOf } from '../../support/api.ts';
import { expectDocumented } from '../../support/documented.ts';

interface BrowserAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly setCookie: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  readonly body: any;
}

type Lines = Readonly<Record<string, string | readonly string[]>>;
export type Send = (method: string, path: string, body?: unknown, headers?: Lines) => Promise<BrowserAnswer>;

/** Sends header lines as they are: fetch would refuse or join them. */
export function sender(baseUrl: string, always: Lines = {}): Send {
  return (method, path, body, own = {}) =>
    new Promise((resolve, reject) => {
      const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const type = payload === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { host: new URL(baseUrl).host, ...type, ...always, ...own };
      const lines = Object.entries(headers).flatMap(([name, values]) =>
        [values].flat().flatMap((value) => [name, value]),
      );
      const sent = request(baseUrl + path, { method, headers: lines }, async (response) => {
        const { 'set-cookie': setCookie = [], ...others } = response.headers;
        const answered = new Headers(others as Record<string, string>);
        const text = Buffer.concat(await response.toArray()).toString();
        const status = response.statusCode ?? 0;
        const answer = { status, headers: answered, setCookie, body: bodyOf(answered, text) };
        try {
          expectDocumented({ method, path, ...answer });
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
      sent.on('error', reject).end(payload);
    });
}

export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

export interface Opened {
  /** As the browser sends it: `name=value`. */
  readonly cookie: string;
  readonly token: string;
  /** A page of the service. */
  readonly page: Send;
}

/** Signs a browser in with an API key, as the dashboard does. */
export async function openSession({ baseUrl }: { readonly baseUrl: string }, key: string): Promise<Opened> {
  const headers = { ...SAME_ORIGIN, authorization: `Bearer ${key}` };
  const { status, body, setCookie } = await sender(baseUrl, headers)('POST', '/v1/auth/session', {});
  if (status !== 201) throw new Error(`opening a session: ${status} ${JSON.stringify(body)}`);
  const [cookie = ''] = setCookie[0]?.split(';') ?? [];
  const token = cookie.slice(cookie.indexOf('=') + 1);
  return { cookie, token, page: sender(baseUrl, { ...SAME_ORIGIN, cookie }) };
}
