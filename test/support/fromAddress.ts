import { Agent, request } from 'node:http';
import type { Api } from './api.ts';

export interface AddressedApi {
  readonly call: Api;
  /** Closes the connections that were kept. */
  close(): void;
}

/** Calls the service from one of the machine's own addresses: 127.0.0.2, ::1. `fetch` can't choose. */
export function apiFrom(baseUrl: string, address: string, key?: string): AddressedApi {
  const agent = new Agent({ keepAlive: true, localAddress: address });
  const credential = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const call: Api = (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const type = payload === undefined ? {} : { 'content-type': 'application/json' };
      const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
      const options = { method, agent, headers: { ...type, ...length, ...credential, ...headers } };
      const sent = request(baseUrl + path, options, async (response) => {
        const chunks: Buffer[] = await response.toArray();
        const text = Buffer.concat(chunks).toString();
        const given = Object.entries(response.headersDistinct).map(([name, values = []]) => [
          name,
          values.join(','),
        ]);
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(Object.fromEntries(given)),
          body: text === '' ? undefined : JSON.parse(text),
        });
      });
      sent.on('error', reject).end(payload);
    });
  return { call, close: () => agent.destroy() };
}

const AT_ONCE = 8;
/** Less than the general limit. */
const REQUESTS_EACH = 90;

/** Calls from so many loopback addresses in turn that none reaches its limit: 127.1.0.0 and on. */
export function apiFromMany(baseUrl: string, key?: string): Api {
  const clients = new Map<string, Api>();
  let sent = 0;
  return (...call) => {
    const turn = Math.floor(sent / (AT_ONCE * REQUESTS_EACH)) * AT_ONCE + (sent % AT_ONCE);
    sent++;
    const address = `127.1.${turn >> 8}.${turn & 0xff}`;
    const client = clients.get(address) ?? apiFrom(baseUrl, address, key).call;
    clients.set(address, client);
    return client(...call);
  };
}
