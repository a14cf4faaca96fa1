import { gzipSync } from 'node:zlib';

export const REQUEST_TIMEOUT_MS = 40_000;

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire
export type Body = any;
export interface Answer {
  readonly status: number;
  readonly body: Body;
}
export type Call = (method: string, path: string, body?: object, isPacked?: boolean) => Promise<Answer>;

/** The body of an answer of that status. */
export function expected({ status, body }: Answer, expectedStatus: number): Body {
  if (status === expectedStatus) return body;
  throw new Error(`expected ${expectedStatus}, got ${status}: ${JSON.stringify(body)}`);
}

/** Sends requests with a credential, or without one. */
export function caller(baseUrl: string, credential: string | undefined): Call {
  return async (method, path, body, isPacked = false) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(isPacked && { 'content-encoding': 'gzip' }),
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      },
      ...(body !== undefined && { body: isPacked ? gzipSync(JSON.stringify(body)) : JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
}
