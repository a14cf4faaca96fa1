import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { directFetch } from '../../../clients/cli/directFetch.ts';
import { listening } from '../../support/listening.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
  /** Without a length: in chunks. */
  readonly isChunked: boolean;
  readonly isPacked: boolean;
}

let answered: Answered;
const asked: { method: string | undefined; body: string; type: string | undefined }[] = [];
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request)).toString();
  asked.push({ method: request.method, body, type: request.headers['content-type'] });
  const { status, headers, isChunked, isPacked } = answered;
  const sent = isPacked ? gzipSync(answered.body) : answered.body;
  response.writeHead(status, {
    ...headers,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...(!isChunked && status !== 204 && { 'content-length': sent.length }),
  });
  if (isChunked) response.write(sent.subarray(0, sent.length >> 1));
  response.end(isChunked ? sent.subarray(sent.length >> 1) : sent);
});
let url: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  const started = await listening(server);
  url = `${started.url}/v1/runs?page=2`;
  ({ stop } = started);
});
afterAll(() => stop());

const bytes = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc.string({ unit: 'grapheme', maxLength: 500 }).map((text) => Buffer.from(`\ufeff${text}`)),
  fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array)),
);
const answers = fc.record<Answered>({
  status: fc.constantFrom(200, 201, 204, 301, 302, 307, 308, 400, 401, 404, 429, 500, 502, 503),
  headers: fc.constantFrom<Answered['headers'][]>(
    {},
    { 'retry-after': '7', 'content-type': 'application/json' },
    { location: 'http://127.0.0.1:1/elsewhere', 'x-two': ['one', 'other'] },
  ),
  body: bytes,
  isChunked: fc.boolean(),
  isPacked: fc.boolean(),
});
const requests = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  body: fc.option(
    fc.oneof(
      fc.json(),
      fc.json().map((text) => new Uint8Array(gzipSync(text))),
    ),
    { nil: undefined },
  ),
});
const read = async ({ status, headers, text }: Awaited<ReturnType<typeof directFetch>>) => {
  const named = ['retry-after', 'Content-Type', 'location', 'x-two', 'x-none'].map((name) =>
    headers.get(name),
  );
  return { status, named, text: await text() };
};

test('an answer is read as fetch reads it, and a request comes as from fetch', async () => {
  const law = fc.asyncProperty(answers, requests, async (drawn, { method, body }) => {
    answered =
      drawn.status === 204 ? { ...drawn, body: Buffer.alloc(0), isChunked: false, isPacked: false } : drawn;
    asked.length = 0;
    const request: RequestInit = {
      method,
      headers: { 'content-type': 'application/json' },
      redirect: 'manual',
      ...(method !== 'GET' && body !== undefined && { body }),
    };
    const direct = await read(await directFetch(url, request));
    const response = await fetch(url, request);
    const fetched = await read({
      status: response.status,
      headers: response.headers,
      text: () => response.text(),
    });
    expect(direct).toEqual(fetched);
    expect(asked[0]).toEqual(asked[1]);
  });
  await fc.assert(law, { numRuns: 200 });
});

/** Says this on each connection, and closes it. */
async function saying(text: string, act: (url: string) => Promise<void>): Promise<void> {
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(text));
  });
  const { url: address, stop: stopTcp } = await listening(tcp);
  await act(address);
  await stopTcp();
}

test.each([
  ['of which the head is cut off', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ['of which the body is cut off', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"data"'],
  ['whose last chunk is missing', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'],
  ['whose gzip is damaged', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}'],
  [
    'in a coding that was not requested',
    'HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 2\r\n\r\n{}',
  ],
  ['that is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
])('an answer %s is an error, and no text', async (_, sent) => {
  await saying(sent, async (place) => {
    await expect(directFetch(place, { method: 'GET' }).then((response) => response.text())).rejects.toThrow();
  });
});

test('a request ends with its signal, before the answer and within its body', async () => {
  const reason = new Error('enough');
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"data"';
  const abort = new AbortController();
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(head));
  });
  const { url: place } = await listening(tcp);
  const response = await directFetch(place, { method: 'GET', signal: abort.signal });
  const text = response.text();
  abort.abort(reason);
  await expect(text).rejects.toThrow();
  await expect(directFetch(place, { method: 'GET', signal: abort.signal })).rejects.toThrow();
  tcp.close();
});

test("a request with a large body loads nothing of Node's fetch, which takes 14 MB", async () => {
  answered = { status: 200, headers: {}, body: Buffer.from('{"data":{}}'), isChunked: false, isPacked: true };
  const client = path.join(REPOSITORY_DIR, 'clients/cli/client.ts');
  const script = `
    const { createClient } = await import(${JSON.stringify(client)});
    const gate = createClient({ env: {} }, { url: ${JSON.stringify(new URL(url).origin)}, credential: { type: 'key', apiKey: 'k' } });
    await gate.runs.create({ suite: 'returns', output: 'x'.repeat(100_000) });
    console.log(process.moduleLoadList.filter((name) => /undici|zlib/.test(name)).join());`;
  const env = { PATH: process.env.PATH };
  const { stdout } = await promisify(execFile)(NODE, ['--input-type=module', '-e', script], { env });
  expect(stdout).toMatch(/zlib/);
  expect(stdout).not.toMatch(/undici/);
});
