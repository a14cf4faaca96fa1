import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { handler as listProjects } from '../../../functions/projects/list.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { newApiKey } from '../../../shared/domain/accounts/apiKey.ts';
import { RATE_LIMITS, type RateClass } from '../../../shared/domain/rateLimits.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { api } from '../../support/api.ts';
import { type EngineService, startEngineService } from '../../support/ownService.ts';
import { namesOfNothing, requestTo } from '../../support/requests.ts';
import { tokenKeys } from '../../support/tokenKeys.ts';
import { makeKey, makeToken, newOrganisation, type Organisation, statusFor } from './organisation.ts';

const T0 = Date.parse('2030-01-01T00:00:00.000Z');
const { folder, keys } = tokenKeys(1);
let service: EngineService;
let organisation: Organisation;
beforeAll(async () => {
  service = await startEngineService({ TOKEN_KEY_FILES: String(keys[0]?.file) });
  organisation = await newOrganisation(service);
});
beforeEach(() => {
  service.clock.ms = T0;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const eventWith = (key: string, method = 'GET') =>
  ({
    headers: { authorization: `Bearer ${key}` },
    requestContext: { http: { method, sourceIp: '203.0.113.7' } },
    isBase64Encoded: false,
  }) as unknown as APIGatewayProxyEventV2;
const CONTEXT = { awsRequestId: 'one' } as Context;

/** The handler on the service's table, but for how that takes updates. */
function listProjectsOn(update: Table['update']) {
  const table = new Proxy(service.table, {
    get(real, name: keyof Table) {
      const member = name === 'update' ? update : real[name];
      return member.bind(real);
    },
  });
  const handler = listProjects.withRuntime({ ...service.runtime, table });
  return (key: string) => handler(eventWith(key), CONTEXT);
}

describe('a key that expires', () => {
  test('is accepted until the millisecond before its expiry, then refused as an unknown one', async () => {
    const expires_at = '2030-01-01T00:01:00.123Z';
    const { key } = await makeKey(organisation.client, { expires_at });
    service.clock.ms = Date.parse(expires_at) - 1;
    expect(await statusFor(service, key)).toBe(200);
    service.clock.ms = Date.parse(expires_at);
    const [expired, unknown] = await Promise.all(
      [key, newApiKey()].map((credential) => api(service.baseUrl, credential)('GET', '/v1/projects')),
    );
    expect({ status: expired?.status, body: expired?.body }).toEqual({ status: 401, body: unknown?.body });
    expect((await api(service.baseUrl, key)('POST', '/v1/auth/token')).status).toBe(401);
  });

  test('is still shown, for people to see why a job fails', async () => {
    const { id } = await makeKey(organisation.client, { expires_at: '2030-01-01T00:00:01Z' });
    service.clock.ms = T0 + 86_400_000;
    const shown = (await organisation.client('GET', '/v1/api-keys?pageSize=100')).body.data;
    expect(shown.map((key: { id: string }) => key.id)).toContain(id);
  });
});

describe('when a key was last used', () => {
  const useOf = async (keyId: string): Promise<string | null> => {
    const { data } = (await organisation.client('GET', '/v1/api-keys?pageSize=100')).body;
    return data.find(({ id }: { id: string }) => id === keyId).last_used_at;
  };

  /** What the requests wrote, by the engine's own count; they write nothing but this. */
  const unitsOf = async (requests: () => Promise<unknown>): Promise<number> => {
    const before = service.table.consumed().write;
    await requests();
    return service.table.consumed().write - before;
  };

  test('is written once a minute, however many requests there are and whatever they ask', async () => {
    const made = await makeKey(organisation.client);
    const client = api(service.baseUrl, made.key);
    const paths = [
      '/v1/projects',
      '/v1/byok-keys',
      '/v1/billing/usage',
      '/v1/projects/none',
      '/v1/runs/run_1',
    ];
    const requests = () =>
      Promise.all(Array.from({ length: 40 }, (_, nth) => client('GET', paths[nth % 5] ?? '')));
    expect(await unitsOf(requests)).toBe(1);
    expect(await useOf(made.id)).toBe('2030-01-01T00:00:00.000Z');
    service.clock.ms = T0 + 59_999;
    expect(await unitsOf(requests)).toBe(0);
    service.clock.ms = T0 + 60_000;
    expect(await unitsOf(requests)).toBe(1);
    expect(await useOf(made.id)).toBe('2030-01-01T00:01:00.000Z');
  });

  test('is written to the table once a minute and endpoint at most, even when many requests come at once', async () => {
    const made = await makeKey(organisation.client);
    let touches = 0;
    const call = listProjectsOn((wanted) => {
      touches++;
      return service.table.update(wanted);
    });
    const answers = await Promise.all(Array.from({ length: 30 }, () => call(made.key)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(touches).toBe(1);
  });

  test('counts an exchange for a token, and not the token’s own requests', async () => {
    const made = await makeKey(organisation.client);
    const token = await makeToken(service, made.key);
    expect(await useOf(made.id)).toBe('2030-01-01T00:00:00.000Z');
    service.clock.ms = T0 + 120_000;
    expect(await unitsOf(() => statusFor(service, token))).toBe(0);
  });

  test('a failed write of last_used_at fails no request, and is made up for by the next one', async () => {
    const made = await makeKey(organisation.client);
    let failing = true;
    const call = listProjectsOn((wanted) =>
      failing ? Promise.reject(new Error('throttled')) : service.table.update(wanted),
    );
    expect((await call(made.key)).statusCode).toBe(200);
    expect(await useOf(made.id)).toBeNull();
    failing = false;
    await call(made.key);
    expect(await useOf(made.id)).toBe('2030-01-01T00:00:00.000Z');
  });
});

test('a mistyped key is refused by every endpoint without a word to the database', async () => {
  const { key } = organisation.first;
  const asked: string[] = [];
  const unused = new Proxy({} as Table, {
    get: (_, name) => {
      if (name === 'consumed') return () => ({ read: 0, write: 0 });
      if (name === 'backoff') return undefined;
      // Counting goes on when the table fails, and so it is noted here too.
      asked.push(String(name));
      throw new Error(`the table was asked: ${String(name)}`);
    },
  });
  const { runtime } = service;
  const counting = { ...runtime, table: unused, config: { ...runtime.config, rateLimits: 'on' } } as const;
  const before = service.table.consumed();
  for (const contract of contracts) {
    // Where credentials are exchanged every request is counted.
    if (contract.access !== 'api_key' || contract.rateClass === 'auth') continue;
    const { method, path } = requestTo(contract, namesOfNothing());
    const at = 4 + (path.length % 49);
    const mistyped = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
    const answer = await api(service.baseUrl, mistyped)(method, path);
    expect({ id: contract.id, status: answer.status }).toEqual({ id: contract.id, status: 401 });
    const { handler } = await import(`../../../functions/${contract.id}.ts`);
    const { statusCode, headers } = await handler.withRuntime(counting)(eventWith(mistyped, method), CONTEXT);
    const { requests } = RATE_LIMITS[contract.rateClass as RateClass];
    expect({ id: contract.id, statusCode, headers }).toMatchObject({
      id: contract.id,
      statusCode: 401,
      headers: { 'ratelimit-remaining': String(requests) },
    });
  }
  expect(asked).toEqual([]);
  expect(service.table.consumed()).toEqual(before);
});
