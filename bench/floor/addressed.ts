import { Agent, request } from 'node:http';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../../shared/contracts/base/edge.ts';
import type { Api } from '../../test/support/api.ts';

/** The origin secret of the bench's service. */
export const ORIGIN_SECRET = 'the secret of an edge that is a bench';
/** Below the rate limit of an address. */
const REQUESTS_EACH = 90;

let named = 0;

/** Gives every client other addresses. */
function addresses(): () => string {
  let [address, left] = ['', 0];
  return () => {
    if (left-- > 0) return address;
    left = REQUESTS_EACH - 1;
    address = `10.${(named >> 16) & 0xff}.${(named >> 8) & 0xff}.${named++ & 0xff}`;
    return address;
  };
}

/**
 * A client that sends another viewer address after every 90 requests, as if through the edge. No request reaches the
 * rate limit, on any machine, and each caller keeps one connection.
 */
export function addressedApi(baseUrl: string, key?: string, extra: Record<string, string> = {}): Api {
  const agent = new Agent({ keepAlive: true });
  const credential = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const next = addresses();
  return (method, path, body, headers = {}) => {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const options = {
      method,
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        [ORIGIN_SECRET_HEADER]: ORIGIN_SECRET,
        [VIEWER_ADDRESS_HEADER]: `${next()}:443`,
        ...credential,
        ...extra,
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const sentRequest = request(baseUrl + path, options, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(),
          body: text === '' ? undefined : JSON.parse(text),
        });
      });
      sentRequest.on('error', reject).end(payload);
    });
  };
}
