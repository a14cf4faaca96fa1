import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { handler as listProjects } from '../../../functions/projects/list.ts';
import { errorsOf } from '../../../shared/contracts/base/contract.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { newApiKey } from '../../../shared/domain/accounts/apiKey.ts';
import { RATE_LIMITS } from '../../../shared/domain/rateLimits.ts';
import { type ApiAnswer, api } from '../../support/api.ts';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { namesOfNothing, requestTo } from '../../support/requests.ts';
import { type Clients, clientsOf } from './clients.ts';
import { eventFrom } from './events.ts';

let service: EngineService;
let clients: Clients;
let key: string;
beforeAll(async () => {
  service = await startEngineService({ RATE_LIMITS: 'on' });
  // No window ends because requests take long.
  service.clock.ms = Date.now();
  clients = clientsOf(service);
  const signedUp = await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Limited' });
  key = signedUp.body.data.api_key.key;
});
afterAll(async () => {
  clients.close();
  await service.stop();
});

const limitOf = ({ headers }: ApiAnswer) => ({
  limit: headers.get('ratelimit-limit'),
  remaining: headers.get('ratelimit-remaining'),
  reset: headers.get('ratelimit-reset'),
  retryAfter: headers.get('retry-after'),
});

/** Uses up what an address may send. */
const exhaust = (address: string) =>
  Promise.all(Array.from({ length: 100 }, () => clients.from(address)('GET', '/v1/templates/none')));

const counted = contracts.flatMap((contract, index) =>
  contract.rateClass === 'none'
    ? []
    : [[contract.id, { ...contract, rateClass: contract.rateClass, address: `127.0.2.${index}` }] as const],
);

describe.each(counted)('%s', (_, contract) => {
  test('states the limit in every answer', async () => {
    const { method, path, body } = requestTo(contract, namesOfNothing());
    const limit = String(RATE_LIMITS[contract.rateClass].requests);
    const remaining = String(Number(limit) - 1);
    const reset = String(RATE_LIMITS[contract.rateClass].windowMs / 1_000);
    const answer = await clients.from(contract.address, key)(method, path, body);
    expect(limitOf(answer)).toEqual({ limit, remaining, reset, retryAfter: null });
    if (!errorsOf(contract).includes('UNAUTHORIZED')) return;
    const unknown = await clients.from(contract.address, newApiKey())(method, path, body);
    expect(unknown.status).toBe(401);
    expect(limitOf(unknown)).toMatchObject({ limit, remaining: String(Number(remaining) - 1) });
  });
});

test('an error of ours states the limit too', async () => {
  const failing = { page: () => Promise.reject(new Error('a defect')) };
  const handler = listProjects.withRuntime(service.runtime, { projects: failing } as never);
  const event = eventFrom('198.51.100.1', { authorization: `Bearer ${key}` });
  const { statusCode, headers } = await handler(event, { awsRequestId: 'one' } as never);
  expect(statusCode).toBe(500);
  expect(headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '99' });
});

test('a refused client learns nothing of its credential, and its request does nothing', async () => {
  await exhaust('127.0.3.1');
  for (const credential of [key, newApiKey()]) {
    const call = clients.from('127.0.3.1', credential);
    const answer = await call('POST', '/v1/projects', { name: 'Never made', slug: 'never-made' });
    expect(answer.status).toBe(429);
  }
  const answer = await clients.from('127.0.3.2', key)('GET', '/v1/projects/never-made');
  expect(answer.status).toBe(404);
});

test('a client that is known to be refused costs no read and no write', async () => {
  await exhaust('127.0.3.3');
  const call = clients.from('127.0.3.3', key);
  const cost = await costOf(service, () => call('GET', '/v1/projects'));
  expect(cost).toEqual({ read: 0, write: 0 });
});

test('an accepted request costs one write unit for being counted', async () => {
  const call = clients.from('127.0.3.4');
  const cost = await costOf(service, () => call('GET', '/v1/templates'));
  expect(cost).toEqual({ read: 0, write: 1 });
});

const mistyped = () => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

test('a malformed credential is refused without being counted, and the answer states the limit as far as it is known', async () => {
  const call = clients.from('127.0.3.5', mistyped());
  const malformed = () => call('GET', '/v1/projects');
  const before = service.table.consumed();
  const first = await malformed();
  expect(service.table.consumed()).toEqual(before);
  expect(first.status).toBe(401);
  expect(limitOf(first)).toEqual({ limit: '100', remaining: '100', reset: '0', retryAfter: null });
  await exhaust('127.0.3.5');
  const last = await malformed();
  expect(last.status).toBe(401);
  expect(limitOf(last)).toMatchObject({ limit: '100', remaining: '0', retryAfter: null });
});

test('every request to exchange a credential is counted: the 21st is a 429', async () => {
  const credentials = [mistyped(), undefined, 'sesame', newApiKey()];
  const answers = [];
  for (let nth = 0; nth < 21; nth++) {
    answers.push(await clients.from('127.0.3.6', credentials[nth % 4])('POST', '/v1/auth/token'));
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(401), 429]);
});

test('addresses of one IPv6 network are one client, of another network another', async () => {
  const network = randomUUID().slice(0, 4);
  const call = async (address: string) => {
    const event = eventFrom(address, { authorization: `Bearer ${key}` });
    const handler = listProjects.withRuntime(service.runtime);
    const { headers } = await handler(event, { awsRequestId: 'one' } as never);
    return headers?.['ratelimit-remaining'];
  };
  expect(await call(`2001:db8:0:${network}::1`)).toBe('99');
  expect(await call(`2001:DB8:0:${network.toUpperCase()}:ffff:ffff:ffff:ffff`)).toBe('98');
  expect(await call(`2001:db8:1:${network}::1`)).toBe('99');
});

test('an invocation that comes past the API, from no address, is not counted', async () => {
  const handler = listProjects.withRuntime(service.runtime);
  const event = eventFrom(undefined, { authorization: `Bearer ${key}` });
  const { statusCode, headers } = await handler(event, { awsRequestId: 'one' } as never);
  expect(statusCode).toBe(200);
  expect(headers).not.toHaveProperty('ratelimit-limit');
});

test('limits that are turned off count nothing and say nothing', async () => {
  const { runtime } = service;
  const handler = listProjects.withRuntime({ ...runtime, config: { ...runtime.config, rateLimits: 'off' } });
  const event = eventFrom('198.51.100.2', { authorization: `Bearer ${key}` });
  for (let nth = 0; nth < 110; nth++) {
    const { statusCode, headers } = await handler(event, { awsRequestId: 'one' } as never);
    expect(statusCode).toBe(200);
    expect(headers).not.toHaveProperty('ratelimit-limit');
  }
});
