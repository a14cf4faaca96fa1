import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isLocal } from '../../../../infra/local/http/fromHere.ts';
import { type HttpServer, startHttpServer } from '../../../../infra/local/http/httpServer.ts';
import { metricsPage } from '../../../../infra/local/http/metricsPage.ts';
import type { Contract } from '../../../../shared/contracts/base/contract.ts';
import { Secret } from '../../../../shared/domain/byok/secret.ts';

const TOKEN = 'a-token-of-the-tests-0123456789abcdef';
const TEXT = '# the metrics\n';

const servers: HttpServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function start(token: string | undefined, isLocal: boolean): Promise<number> {
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    contracts: [{ id: 'default', method: 'ANY', path: '$default' } as Contract],
    functions: new Map(),
    pages: metricsPage({ token: token === undefined ? undefined : new Secret(token), isLocal }, () => TEXT),
  });
  servers.push(server);
  return server.port;
}

interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const get = (port: number, headers: Record<string, string> = {}, method = 'GET'): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/metrics', method, headers }, async (response) => {
      const chunks = await response.toArray();
      resolve({
        status: response.statusCode,
        headers: response.headers,
        body: Buffer.concat(chunks).toString(),
      });
    });
    sent.once('error', reject).end();
  });

let local: number;
let reachable: number;
let guarded: number;
beforeAll(async () => {
  [local, reachable, guarded] = await Promise.all([
    start(undefined, true),
    start(undefined, false),
    start(TOKEN, true),
  ]);
});

test('without a token a program of this machine reads the metrics', async () => {
  expect(await get(local)).toMatchObject({ status: 200, body: TEXT });
  expect(await get(local, { host: `localhost:${local}` })).toMatchObject({ status: 200 });
  expect(await get(local, {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
});

test.each<Record<string, string>>([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-proto': 'https' },
  { 'x-real-ip': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 proxy' },
  { 'cf-connecting-ip': '203.0.113.9' },
  { 'tailscale-user-login': 'a@example.com' },
  { host: 'evalgate.example.com' },
  { host: '127.0.0.1.example.com' },
])(
  'without a token a request with the header %j, as proxies and rebound names make them, is a 401',
  async (headers) => {
    const refused = await get(local, headers);
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(refused.body).toContain('Start it with METRICS_TOKEN');
  },
);

test('without a token a request of HTTP/1.0, which proxies send that name nothing, is a 401', async () => {
  const socket = connect(local, '127.0.0.1');
  socket.write(`GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:${local}\r\n\r\n`);
  expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 401 /);
});

test('without a token a service that other machines reach gives metrics to none', async () => {
  expect(await get(reachable)).toMatchObject({ status: 401 });
  expect(await get(reachable, { authorization: `Bearer ${TOKEN}` })).toMatchObject({ status: 401 });
});

test('with a token it is needed on this machine, too, and nothing else opens', async () => {
  expect(await get(guarded, { authorization: `Bearer ${TOKEN}` })).toMatchObject({ status: 200, body: TEXT });
  const forwarded = { authorization: `bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' };
  expect(await get(guarded, forwarded)).toMatchObject({ status: 200 });
  for (const authorization of [
    '',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    'Bearer ',
    `Basic ${TOKEN}`,
    TOKEN,
  ])
    expect([authorization, (await get(guarded, { authorization })).status]).toEqual([authorization, 401]);
  const refused = await get(guarded);
  expect(refused.status).toBe(401);
  expect(refused.body).not.toContain(TOKEN);
});

test('only GET and HEAD are taken', async () => {
  expect(await get(guarded, { authorization: `Bearer ${TOKEN}` }, 'POST')).toMatchObject({ status: 405 });
});

const HERE = { host: '127.0.0.1', baseUrl: undefined, originSecrets: undefined };

test.each([
  [{}, true],
  [{ host: 'localhost' }, true],
  [{ host: '::1' }, true],
  [{ host: '::ffff:127.0.0.1' }, true],
  [{ baseUrl: 'http://127.0.0.1:3000' }, true],
  [{ host: '0.0.0.0' }, false],
  [{ host: '::' }, false],
  [{ host: '192.0.2.1' }, false],
  [{ host: '127.0.0.1.example.com' }, false],
  [{ baseUrl: 'https://evalgate.example.com' }, false],
  [{ originSecrets: ['x'.repeat(32)] }, false],
])('that only this machine reaches a service with the settings %j is %j', (settings, expected) => {
  expect(isLocal({ ...HERE, ...settings })).toBe(expected);
});
