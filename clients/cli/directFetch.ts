import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Environment } from '../sdk/transport/environment.ts';

export type Fetch = Environment['fetch'];

/** As long as Node's `fetch` waits for one. */
const CONNECT_MS_MAX = 10_000;

/**
 * What Node's `fetch` does with a request whose redirect is not followed, through no proxy. A command that sends two
 * requests would take a third of its time to load that.
 */
export const directFetch: Fetch = async (url, { method, headers, body, signal }) => {
  // An import of node:http reads all that it exports, which loads Node's fetch: 14 MB.
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  const sent = request(url, {
    method: method ?? 'GET',
    headers: {
      ...(headers as Readonly<Record<string, string>>),
      'accept-encoding': 'gzip',
      // Not of all methods does Node say the length by itself.
      ...(body && { 'content-length': Buffer.byteLength(body as string | Uint8Array) }),
    },
    signal: signal ?? undefined,
  });
  const answered = answerTo(sent);
  sent.end(body ?? undefined);
  const response = await answered;
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => textOfHeader(response.headers[name.toLowerCase()]) },
    text: async () => new TextDecoder().decode(await bytesOf(response)),
  };
};

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      const late = Object.assign(new Error('no connection within 10 s'), { code: 'ETIMEDOUT' });
      const giveUp = () => void request.destroy(late);
      socket.setTimeout(CONNECT_MS_MAX, giveUp);
      socket.once('connect', () => socket.setTimeout(0, giveUp));
    });
  });
}

const textOfHeader = (value: string | readonly string[] | undefined): string | null =>
  typeof value === 'object' ? value.join(', ') : (value ?? null);

/** The whole body. Throws for one that is cut off. */
async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const bytes = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>));
  const coding = response.headers['content-encoding'] ?? 'identity';
  if (coding === 'identity') return bytes;
  if (coding !== 'gzip') throw new Error(`its Content-Encoding is ${coding}, which was not requested`);
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(bytes);
}
