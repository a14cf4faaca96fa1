import { expectDocumented } from './documented.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  readonly body: any;
}

export type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiAnswer>;

/**
 * Calls the service like a client, and fails where the answer is not one that the OpenAPI document describes. Sends a
 * string or bytes as they are, anything else as JSON; parses the answer's body if it is JSON by its content type.
 */
export function api(baseUrl: string, key?: string, check = expectDocumented): Api {
  const credential = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return async (method, path, body, headers = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...credential,
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw(body) }),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: bodyOf(response.headers, text),
    };
    check({ method, path, ...answer });
    return answer;
  };
}

/** The body of an answer, parsed if it is JSON by its content type. */
export function bodyOf(headers: Headers, text: string): ApiAnswer['body'] {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return isJson && text !== '' ? JSON.parse(text) : text || undefined;
}

function raw(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}

/** A client of a new organisation, so that tests do not affect each other. */
export async function signUp(baseUrl: string, name = 'Test organisation'): Promise<Api> {
  const answer = await api(baseUrl)('POST', '/v1/auth/signup', { name });
  if (answer.status !== 201) throw new Error(`signing up: ${answer.status} ${JSON.stringify(answer.body)}`);
  return api(baseUrl, answer.body.data.api_key.key);
}

function addressIn(variable: string): string {
  const url = process.env[variable];
  if (url === undefined) throw new Error('The shared service does not run: see test/support/globalSetup.ts.');
  return url;
}

/** The address of the service that all endpoint tests share. */
export const sharedServiceUrl = (): string => addressIn('EVALGATE_TEST_URL');

/** Its address for browsers: by TLS if it is made of what would be deployed. */
export const browserUrl = (): string => addressIn('EVALGATE_TEST_BROWSER_URL');
