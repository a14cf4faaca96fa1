import { once } from 'node:events';
import http, { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { End, Form, Place, WireAnswer } from './faults.ts';

const HEAD_END = '\r\n\r\n';

/** How many bytes head and body of a request have; undefined while its head is not whole. */
export function lengthsOf(request: Buffer): { readonly head: number; readonly body: number } | undefined {
  const at = request.indexOf(HEAD_END);
  if (at === -1) return undefined;
  const [, body = 0] = /^content-length: (\d+)/im.exec(request.toString('latin1', 0, at)) ?? [];
  return { head: at + HEAD_END.length, body: Number(body) };
}

/** The place in bytes. What has no body is cut in its head. */
export function bytesUntil({ part, share }: Place, head: number, body: number): number {
  if (part === 'end') return head + body;
  return part === 'head' || body === 0 ? Math.floor(share * head) : head + Math.floor(share * body);
}

export const finish = (socket: Socket, end: End): void =>
  void (end === 'fin' ? socket.destroySoon() : socket.resetAndDestroy());

/** Sends a whole request to the service. */
export async function sendWhole(target: URL, request: Buffer): Promise<WireAnswer> {
  const { head = 0 } = lengthsOf(request) ?? {};
  const [first = '', ...lines] = request.toString('latin1', 0, head).trimEnd().split('\r\n');
  const [method, path] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const { hostname, port } = target;
  const sent = http.request({ hostname, port, method, path, headers, agent: false });
  sent.end(request.subarray(head));
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  const body = Buffer.concat(await Array.fromAsync(response));
  const own = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];
  const kept = Object.entries(response.headers).filter(([name]) => !own.includes(name));
  const status = response.statusCode ?? 0;
  return { status, headers: Object.fromEntries(kept) as WireAnswer['headers'], body };
}

/** An answer in bytes. */
export function written({ status, headers, body }: WireAnswer, { framing, isPacked }: Form) {
  const packed = isPacked ? gzipSync(body) : Buffer.from(body);
  const lines = Object.entries({
    ...headers,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...(framing === 'length' && { 'content-length': packed.length }),
    ...(framing === 'chunked' && { 'transfer-encoding': 'chunked' }),
    ...(framing === 'close' && { connection: 'close' }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`, 'latin1');
  return { head, body: framing === 'chunked' ? chunked(packed) : packed };
}

/** In two chunks, and the last one, which is empty. */
function chunked(bytes: Buffer): Buffer {
  const middle = Math.ceil(bytes.length / 2);
  const parts = [bytes.subarray(0, middle), bytes.subarray(middle)].filter(({ length }) => length > 0);
  const end = Buffer.from('\r\n');
  const framed = parts.flatMap((part) => [Buffer.from(part.length.toString(16)), end, part, end]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}
