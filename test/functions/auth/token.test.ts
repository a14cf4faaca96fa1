import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newApiKey } from '../../../shared/domain/accounts/apiKey.ts';
import { organisationKey } from '../../../shared/storage/table/keys.ts';
import { api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { changePlan } from '../../support/changePlan.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { decoded, tokenKeys } from '../../support/tokenKeys.ts';
import {
  makeKey,
  makeToken,
  newOrganisation,
  type Organisation,
  statusFor,
} from '../apiKeys/organisation.ts';

const T0 = Date.parse('2030-01-01T00:00:00.250Z');
const { folder, keys } = tokenKeys(1);
let service: EngineService;
let organisation: Organisation;
beforeAll(async () => {
  service = await startEngineService({
    TOKEN_KEY_FILES: String(keys[0]?.file),
    TOKEN_ISSUER: 'https://api.example.test',
  });
  organisation = await newOrganisation(service);
});
beforeEach(() => {
  service.clock.ms = T0;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const exchange = (credential?: string) => api(service.baseUrl, credential)('POST', '/v1/auth/token');
const withToken = async (key: string) => api(service.baseUrl, await makeToken(service, key));

describe('POST /v1/auth/token', () => {
  test('gives an API key a token of one hour, which is good until the last second of it', async () => {
    const answer = await exchange(organisation.first.key);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { data: { token: expect.any(String), expires_at: '2030-01-01T01:00:00.000Z' } },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { token, expires_at } = answer.body.data;
    expect(decoded(token, 1)).toMatchObject({
      iss: 'https://api.example.test',
      sub: organisation.id,
      scope: 'full',
      project_id: null,
      credential: { type: 'token', key_id: organisation.first.id },
    });
    service.clock.ms = Date.parse(expires_at) - 1;
    expect(await statusFor(service, token)).toBe(200);
    service.clock.ms = Date.parse(expires_at);
    expect(await statusFor(service, token)).toBe(401);
  });

  test('gives a key that expires sooner a token that does not outlive it', async () => {
    const expires_at = '2030-01-01T00:10:00.999Z';
    const { key } = await makeKey(organisation.client, { expires_at });
    const { token, expires_at: until } = (await exchange(key)).body.data;
    expect(until).toBe('2030-01-01T00:10:00.000Z');
    service.clock.ms = Date.parse(expires_at);
    for (const credential of [key, token]) expect(await statusFor(service, credential)).toBe(401);
  });

  test('gives a key in its last second no token, and one in the second before a token of a second', async () => {
    const { key } = await makeKey(organisation.client, { expires_at: '2030-01-01T00:00:10.000Z' });
    service.clock.ms = Date.parse('2030-01-01T00:00:09.001Z');
    expect((await exchange(key)).status).toBe(401);
    service.clock.ms = Date.parse('2030-01-01T00:00:08.999Z');
    expect((await exchange(key)).body.data.expires_at).toBe('2030-01-01T00:00:09.000Z');
  });

  test('answers no key, an unknown, a revoked and an expired one with one and the same 401', async () => {
    const [revoked, expired] = [
      await makeKey(organisation.client),
      await makeKey(organisation.client, { expires_at: '2030-01-01T00:00:01Z' }),
    ];
    await organisation.client('DELETE', `/v1/api-keys/${revoked.id}`);
    service.clock.ms = T0 + 1_000;
    const answers = await Promise.all([undefined, newApiKey(), revoked.key, expired.key].map(exchange));
    for (const { status, body, headers } of answers) {
      expect({ status, body }).toEqual({ status: 401, body: answers[0]?.body });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('hands on what the key is good for, and no more', async () => {
    const [{ client }, name] = [await newOrganisation(service), 'Bound'];
    const [inside, outside] = [await makeProject(client, { name }), await makeProject(client, { name })];
    const bound = await withToken((await makeKey(client, { project: inside.slug })).key);
    expect((await bound('GET', '/v1/projects')).body.data).toEqual([inside]);
    expect((await bound('GET', `/v1/projects/${outside.slug}`)).status).toBe(404);
    const runner = await withToken((await makeKey(client, { scope: 'run' })).key);
    expect((await runner('GET', `/v1/projects/${inside.slug}`)).body.error.code).toBe('SCOPE_REQUIRED');
    const keeper = await withToken((await makeKey(client, { scope: 'suites' })).key);
    expect((await keeper('GET', `/v1/projects/${inside.slug}`)).status).toBe(200);
    expect((await keeper('GET', '/v1/api-keys')).body.error.code).toBe('SCOPE_REQUIRED');
  });

  test('hands on less where the request names less, and never more', async () => {
    const { client, first } = await newOrganisation(service);
    const keys = { full: first.key, suites: '', read: '', run: '' };
    for (const scope of ['suites', 'read', 'run'] as const)
      keys[scope] = (await makeKey(client, { scope })).key;
    const ask = (key: string, scope: string) =>
      api(service.baseUrl, key)('POST', '/v1/auth/token', { scope });
    for (const [scope, asked] of [
      ['full', 'suites'],
      ['full', 'run'],
      ['suites', 'suites'],
      ['suites', 'run'],
      ['run', 'run'],
    ] as const) {
      const { status, body } = await ask(keys[scope], asked);
      expect(status).toBe(200);
      expect(decoded(body.data.token, 1).scope).toBe(asked);
    }
    for (const [scope, asked] of [
      ['run', 'suites'],
      ['read', 'run'],
      ['read', 'suites'],
    ] as const) {
      const refused = await ask(keys[scope], asked);
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'SCOPE_REQUIRED' } } });
    }
    expectInvalid(await ask(keys.full, 'full'), 'scope');
  });

  test('makes tokens of which no two are alike', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 5 }, () => makeToken(service, organisation.first.key)),
    );
    expect(new Set(tokens.map((token) => decoded(token, 1).jti)).size).toBe(5);
  });
});

describe('a token', () => {
  test('follows a change of the plan with its next request', async () => {
    const { id, first } = await newOrganisation(service);
    const client = await withToken(first.key);
    const plan = async () => (await client('GET', '/v1/billing/usage')).body.plan;
    expect(await plan()).toBe('free');
    await changePlan(service.table, id, 'scale', T0);
    expect(await plan()).toBe('scale');
    await changePlan(service.table, id, 'free', T0);
    expect(await plan()).toBe('free');
  });

  test('costs one read unit more than a key, and no write', async () => {
    const client = await withToken(organisation.first.key);
    const cost = (credential: typeof client) => costOf(service, () => credential('GET', '/v1/projects'));
    await cost(organisation.client);
    const [byKey, byToken] = [await cost(organisation.client), await cost(client)];
    expect(byToken).toEqual({ read: byKey.read + 1, write: 0 });
  });

  test('is worth nothing once its organisation is gone', async () => {
    const { id, first } = await newOrganisation(service);
    const token = await makeToken(service, first.key);
    await service.table.transact({ organisation: { Delete: { Key: organisationKey(id) } } });
    expect(await statusFor(service, token)).toBe(401);
  });
});

test('where nothing is set to sign by, there are no tokens, and what looks like one is a 401', async () => {
  const token = await makeToken(service, organisation.first.key);
  const unable = await startEngineService();
  expect(await statusFor(unable, token)).toBe(401);
  expect((await api(unable.baseUrl)('GET', '/.well-known/jwks.json')).body).toEqual({ keys: [] });
  await unable.stop();
});
