import { Agent, type IncomingMessage, request } from 'node:http';
import { type Api, type ApiAnswer, bodyOf } from './api.ts';
import { expectDocumented } from './documented.ts';

export interface AddressedApi {
  readonly call: Api;
  /** Closes idle connections. */
  close(): void;
}

/** Calls the service from one of the machine's own addresses: 127.0.0.2, ::1. `fetch` can't choose. */
export function apiFrom(baseUrl: string, address: string, key?: string): AddressedApi {
  const agent = new Agent({ keepAlive: true, localAddress: address });
  const credential = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const call: Api = async (method, path, body, headers = {}) => {
    const answer = await new Promise<ApiAnswer>((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const type = payload === undefined ? {} : { 'content-type': 'application/json' };
      const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
      const options = { method, agent, headers: { ...type, ...length, ...credential, ...headers } };
      const sent = request(baseUrl + path, options, (response) => resolve(answerOf(response)));
      sent.on('error', reject).end(payload);
    });
    expectDocumented({ method, path, ...answer });
    return answer;
  };
  return { call, close: () => agent.destroy() };
}

async function answerOf(response: IncomingMessage): Promise<ApiAnswer> {
  const chunks: Buffer[] = await response.toArray();
  const given = Object.entries(response.headersDistinct).map(([name, values = []]) => [
    name,
    values.join(','),
  ]);
  const headers = new Headers(Object.fromEntries(given));
  const body = bodyOf(headers, Buffer.concat(chunks).toString());
  return { status: response.statusCode ?? 0, headers, body };
}
