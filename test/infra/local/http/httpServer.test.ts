import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Handler } from '../../../../infra/local/http/functions.ts';
import { type HttpServer, startHttpServer } from '../../../../infra/local/http/httpServer.ts';
import type { Contract } from '../../../../shared/contracts/base/contract.ts';
import { api } from '../../../support/api.ts';

const json = { 'content-type': 'application/json' };
const echo: Handler = async (event, context) => ({
  statusCode: 200,
  headers: json,
  body: JSON.stringify({
    event,
    functionName: context.functionName,
    remainingMs: context.getRemainingTimeInMillis(),
  }),
});

const functions: Record<string, Handler> = {
  'GET /echo/:one/:two': echo,
  'POST /echo': echo,
  'POST /length': async ({ body }) => ({ statusCode: 200, headers: json, body: `${body?.length ?? 0}` }),
  'GET /throws': () => Promise.reject(new Error('a secret of ours')),
  'GET /throws-at-once': () => {
    throw new Error('a secret of ours');
  },
  'GET /hangs': () => new Promise(() => {}),
  'GET /nothing': async () => undefined as never,
  'GET /bad-header': async () => ({ statusCode: 200, headers: { 'x-bad': 'a\nb' }, body: '' }),
  'GET /bytes': async () => ({ statusCode: 200, headers: {}, body: 'AP8=', isBase64Encoded: true }),
  'DELETE /echo': async () => ({ statusCode: 204 }),
  'ANY $default': async () => ({ statusCode: 404, headers: json, body: '{"error":{"code":"NOT_FOUND"}}' }),
};

const contracts = Object.keys(functions).map((id) => {
  const [method, path] = id.split(' ');
  return { id, method, path } as Contract;
});

let server: HttpServer;
let baseUrl: string;

beforeAll(async () => {
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    contracts,
    functions: new Map(Object.entries(functions)),
    handlerTimeoutMs: 200,
  });
  baseUrl = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.stop());

/** Writes bytes as they are and answers everything that comes back until the connection ends. */
async function talk(...pieces: (string | Buffer)[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {});
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return received;
}

async function expectAlive(): Promise<void> {
  expect((await api(baseUrl)('POST', '/echo', {})).status).toBe(200);
}

async function eventOf(path: string, init: RequestInit = {}): Promise<APIGatewayProxyEventV2> {
  const response = await fetch(baseUrl + path, init);
  return ((await response.json()) as { event: APIGatewayProxyEventV2 }).event;
}

describe('the event that a handler gets', () => {
  test('has the shape of API Gateway, payload format 2.0', async () => {
    const before = Date.now();
    const event = await eventOf('/echo/a%20b/%C3%A9%2F?x=1&y=&x=2+3&z=%zz', {
      headers: { 'X-Mixed': 'Case', cookie: 'a=1; b=2', 'user-agent': 'tester' },
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /echo/{one}/{two}',
      rawPath: '/echo/a%20b/%C3%A9%2F',
      rawQueryString: 'x=1&y=&x=2+3&z=%zz',
      cookies: ['a=1', 'b=2'],
      headers: { 'x-mixed': 'Case', host: `127.0.0.1:${server.port}` },
      queryStringParameters: { x: '1,2 3', y: '', z: '%zz' },
      pathParameters: { one: 'a b', two: 'é/' },
      requestContext: {
        http: {
          method: 'GET',
          path: '/echo/a%20b/%C3%A9%2F',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'tester',
        },
        routeKey: 'GET /echo/{one}/{two}',
        stage: '$default',
        domainName: `127.0.0.1:${server.port}`,
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
        accountId: expect.any(String),
        apiId: expect.any(String),
      },
      isBase64Encoded: false,
    });
    expect(event.requestContext.timeEpoch).toBeGreaterThanOrEqual(before);
    expect(event).not.toHaveProperty('body');
    expect(event.headers).not.toHaveProperty('cookie');
  });

  test('leaves out fields that the request does not have', async () => {
    const event = await eventOf('/echo', { method: 'POST' });
    for (const absent of ['queryStringParameters', 'pathParameters', 'cookies', 'body']) {
      expect(event).not.toHaveProperty(absent);
    }
  });

  test('joins a header that comes twice by a comma, whichever header it is', async () => {
    const answer = await talk(
      'POST /echo HTTP/1.1\r\nhost: x\r\nx-two: a\r\nX-Two: b\r\nauthorization: c\r\nauthorization: d\r\nconnection: close\r\n\r\n',
    );
    expect(answer).toContain('"x-two":"a,b"');
    expect(answer).toContain('"authorization":"c,d"');
  });

  test('keeps names such as __proto__ as plain data', async () => {
    const event = await eventOf('/echo/a/b?__proto__=x&constructor=y', { headers: { __proto__: 'z' } });
    expect(JSON.stringify(event.queryStringParameters)).toBe('{"__proto__":"x","constructor":"y"}');
  });

  test('carries text as text and any other bytes as base64', async () => {
    const text = await eventOf('/echo', { method: 'POST', body: '{"a":"é😀"}' });
    expect(text).toMatchObject({ body: '{"a":"é😀"}', isBase64Encoded: false });
    const bytes = Buffer.from([0x22, 0xff, 0xc3, 0x28, 0x22]);
    const binary = await eventOf('/echo', { method: 'POST', body: bytes });
    expect(binary).toMatchObject({ body: bytes.toString('base64'), isBase64Encoded: true });
  });

  test('carries gzip as base64, still packed', async () => {
    const packed = gzipSync('{"a":1}');
    const headers = { 'content-encoding': 'gzip' };
    const event = await eventOf('/echo', { method: 'POST', body: packed, headers });
    expect(event).toMatchObject({ headers, body: packed.toString('base64'), isBase64Encoded: true });
  });

  test('is the same for a request that names the whole URL', async () => {
    const answer = await talk(
      'GET http://elsewhere:80/echo/a/b?x=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    expect(answer).toContain('"rawPath":"/echo/a/b","rawQueryString":"x=1"');
  });

  test('comes with a context that names the function that runs and states how long it may', async () => {
    const { body } = await api(baseUrl)('POST', '/echo');
    expect(body.functionName).toBe('evalgate-local-POST -echo');
    expect(body.remainingMs).toBeLessThanOrEqual(200);
  });
});

describe('the answer of a handler', () => {
  test('without a body goes out without one', async () => {
    const answer = await api(baseUrl)('DELETE', '/echo');
    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect(answer.headers.get('content-type')).toBeNull();
  });

  test('of bytes goes out as those bytes', async () => {
    const response = await fetch(`${baseUrl}/bytes`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255]));
  });

  test.each(['/throws', '/throws-at-once', '/nothing', '/hangs', '/bad-header'])(
    'of %s is a 500 that reveals nothing about the inside',
    async (path) => {
      const answer = await api(baseUrl)('GET', path);
      expect(answer.status).toBe(500);
      expect(answer.body).toMatchObject({ error: { code: 'INTERNAL_ERROR', message: expect.any(String) } });
      expect(JSON.stringify(answer.body)).not.toContain('secret');
      await expectAlive();
    },
  );
});

describe('a body', () => {
  const LIMIT_BYTES = 6 * 1_024 * 1_024;

  test('of exactly 6 MB arrives whole', async () => {
    const answer = await api(baseUrl)('POST', '/length', 'a'.repeat(LIMIT_BYTES));
    expect(answer).toMatchObject({ status: 200, body: LIMIT_BYTES });
  });

  test('of one byte more is refused by name of the limit', async () => {
    const answer = await api(baseUrl)('POST', '/length', 'a'.repeat(LIMIT_BYTES + 1));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'body', message: 'must not be larger than 6 MB' }] },
    });
  });

  test('that is too large is refused too when its length is not announced', async () => {
    const chunk = 'a'.repeat(1_000_000);
    const chunks = Array.from({ length: 7 }, () => `${(1_000_000).toString(16)}\r\n${chunk}\r\n`);
    const answer = await talk(
      'POST /length HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n',
      ...chunks,
      '0\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('must not be larger than 6 MB');
  });

  test('that breaks off leaves the service alive', async () => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end('POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"half":');
    socket.resume();
    await once(socket, 'close');
    const reset = connect(server.port, '127.0.0.1');
    await once(reset, 'connect');
    reset.write('POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"half":');
    reset.resetAndDestroy();
    await expectAlive();
  });
});

describe('input that is no HTTP request', () => {
  const huge = 'a'.repeat(100_000);
  test.each([
    ['a bad request line', 'GARBAGE\r\n\r\n'],
    ['huge headers', `GET / HTTP/1.1\r\nhost: x\r\nx-huge: ${huge}\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['two lengths', 'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ])('is refused with the error envelope: %s', async (name, bytes) => {
    const answer = await talk(bytes);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    expect(JSON.parse(body).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.any(String),
      details: { issues: [{ path: name === 'no host' ? 'host' : 'request', message: expect.any(String) }] },
    });
    await expectAlive();
  });

  test('does not swallow the answer to the good request before it', async () => {
    const answer = await talk('DELETE /echo HTTP/1.1\r\nhost: x\r\n\r\nJUNK\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 204 [\s\S]*HTTP\/1.1 400 /);
    await expectAlive();
  });

  test('is refused when it asks for a tunnel', async () => {
    expect(await talk('CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 404 [\s\S]*NOT_FOUND/);
    await expectAlive();
  });
});

describe('odd but valid requests', () => {
  test.each([
    'HEAD /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    'GET /%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    'GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: miracles\r\n\r\n',
    'GET /a HTTP/1.1\r\nhost: x\r\nconnection: close, Upgrade\r\nupgrade: websocket\r\n\r\n',
  ])('are given to the default route: %j', async (request) => {
    expect(await talk(request)).toMatch(/^HTTP\/1.1 404 /);
  });
});

test('a stop lets the request in flight finish and accepts no other', async () => {
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow: Handler = async () => {
    enter();
    await released;
    return { statusCode: 200, headers: json, body: '"done"' };
  };
  const own = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    contracts: [{ id: 'slow', method: 'ANY', path: '$default' } as Contract],
    functions: new Map([['slow', slow]]),
  });
  const call = api(`http://127.0.0.1:${own.port}`);
  const answer = call('GET', '/');
  await entered;
  const stopped = own.stop();
  await expect(call('GET', '/')).rejects.toThrow();
  release();
  expect((await answer).body).toBe('done');
  await stopped;
});
