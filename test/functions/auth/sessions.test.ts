import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newApiKey } from '../../../shared/domain/accounts/apiKey.ts';
import { api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { costOf, type EngineService, startEngineService, startOwnService } from '../../support/ownService.ts';
import { decoded, tokenKeys } from '../../support/tokenKeys.ts';
import { makeKey, makeToken, newOrganisation, type Organisation } from '../apiKeys/organisation.ts';
import { openSession, SAME_ORIGIN, sender } from './browser.ts';

const T0 = Date.parse('2030-01-01T00:00:00.250Z');
const HOUR_MS = 3_600_000;
const PATH = '/v1/auth/session';
const { folder, keys } = tokenKeys(1);
let service: EngineService;
let organisation: Organisation;
let port: string;
beforeAll(async () => {
  service = await startEngineService({ TOKEN_KEY_FILES: String(keys[0]?.file) });
  organisation = await newOrganisation(service);
  port = new URL(service.baseUrl).port;
});
beforeEach(() => {
  service.clock.ms = T0;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const withKey = (key: string, headers = {}) =>
  sender(service.baseUrl, { ...SAME_ORIGIN, authorization: `Bearer ${key}`, ...headers });
const open = (key = organisation.first.key) => openSession(service, key);

describe('POST /v1/auth/session', () => {
  test('gives a browser on this machine a cookie for twelve hours that no script reads, and no secret in the body', async () => {
    const { status, body, setCookie, headers } = await withKey(organisation.first.key)('POST', PATH, {});
    expect({ status, body }).toEqual({
      status: 201,
      body: { data: { expires_at: '2030-01-01T12:00:00.000Z' } },
    });
    const [cookie = '', ...others] = setCookie;
    expect(others).toEqual([]);
    expect(cookie).toMatch(
      new RegExp(
        `^evalgate-${port}=[\\w-]+\\.[\\w-]+\\.[\\w-]+; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    expect(headers.get('cache-control')).toBe('no-store');
    const token = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'));
    expect(decoded(token, 0)).toMatchObject({ alg: 'RS256', typ: 'session+jwt' });
    expect(decoded(token, 1)).toMatchObject({
      aud: 'urn:evalgate:session',
      credential: { type: 'session', key_id: organisation.first.id },
      auth_time: T0 / 1_000,
    });
  });

  test('names the cookie for https alone where the request came by https', async () => {
    for (const host of ['gate.example', `127.0.0.1:${port}`]) {
      const send = withKey(organisation.first.key, { host, 'x-forwarded-proto': 'https' });
      const { status, setCookie } = await send('POST', PATH, {});
      expect(status).toBe(201);
      expect(setCookie[0]).toMatch(
        /^__Host-evalgate=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
    }
  });

  test.each([
    ['localhost', 201],
    ['LOCALHOST:3000', 201],
    ['127.9.8.7:80', 201],
    ['[::1]:3000', 201],
    ['10.0.0.1:3000', 400],
    ['localhost.evil.example', 400],
    ['evil.example:3000', 400],
    ['127.0.0.1.evil.example', 400],
    ['localhost@evil.example', 400],
    ['[::2]', 400],
  ])('by plain http at %s answers %i', async (host, wanted) => {
    const { status, body, setCookie } = await withKey(organisation.first.key, { host })('POST', PATH, {});
    expect(status).toBe(wanted);
    if (status === 201) return expect(setCookie[0]).toMatch(/^evalgate-\d+=/);
    expect(setCookie).toEqual([]);
    expect(body.error.details.issues).toEqual([
      { path: 'host', message: 'is reached by plain http: open it by https, or on the machine itself' },
    ]);
  });

  test('gives a key that expires sooner a session, and a cookie, that do not outlive it', async () => {
    const { key } = await makeKey(organisation.client, { expires_at: '2030-01-01T00:10:00.999Z' });
    const { body, setCookie } = await withKey(key)('POST', PATH, {});
    expect(body.data.expires_at).toBe('2030-01-01T00:10:00.000Z');
    expect(setCookie[0]).toContain('; Max-Age=600;');
    const { page } = await open(key);
    service.clock.ms = Date.parse('2030-01-01T00:10:00.000Z');
    expect((await page('GET', '/v1/whoami')).status).toBe(401);
  });

  test('counts no key but the one of the header, which has to be an API key', async () => {
    const { first } = organisation;
    const token = await makeToken(service, first.key);
    const anyone = sender(service.baseUrl, SAME_ORIGIN);
    expect((await anyone('POST', PATH, { key: first.key, api_key: first.key })).status).toBe(401);
    expect((await anyone('POST', `${PATH}?key=${first.key}`, {})).status).toBe(401);
    const { page } = await open();
    for (const refused of [await withKey(token)('POST', PATH, {}), await page('POST', PATH, {})]) {
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'SCOPE_REQUIRED' } } });
      expect(refused.setCookie).toEqual([]);
    }
  });

  test('counts each request among those to /v1/auth/, also with a text that is no key', async () => {
    const limited = await startOwnService({ TOKEN_KEY_FILES: String(keys[0]?.file), RATE_LIMITS: 'on' });
    try {
      const left: number[] = [];
      for (const credential of ['sesame', newApiKey(), 'egk_x']) {
        for (const method of ['POST', 'DELETE']) {
          const send = sender(limited.baseUrl, { authorization: `Bearer ${credential}` });
          const { status, headers } = await send(method, PATH, method === 'POST' ? {} : undefined);
          expect(status).toBe(401);
          left.push(Number(headers.get('ratelimit-remaining')));
        }
      }
      expect(left).toEqual([19, 18, 17, 16, 15, 14]);
    } finally {
      await limited.stop();
    }
  });
});

describe('a session', () => {
  test('may do what its key may, and is named where runs and changes name who made them', async () => {
    const { page } = await open();
    const { body } = await page('GET', '/v1/whoami');
    const credential = { type: 'session', key_id: organisation.first.id, label: 'first key' };
    expect(body.data).toMatchObject({ scope: 'full', credential, expires_at: '2030-01-01T12:00:00.000Z' });
    const project = (await page('POST', '/v1/projects', { name: 'By a browser' })).body.data;
    const suites = `/v1/projects/${project.slug}/suites`;
    const suite = (await page('POST', suites, { name: 'Returns' })).body.data;
    const scorer = (
      await page('POST', `/v1/projects/${project.slug}/scorers`, {
        name: 'Says',
        type: 'contains',
        config: { values: ['ok'] },
      })
    ).body.data;
    const made = { name: 'one', input: {}, scorer_id: scorer.id };
    expect((await page('POST', `/v1/suites/${suite.id}/cases`, made)).status).toBe(201);
    const run = await page('POST', '/v1/run', { project: project.slug, suite: suite.slug, output: 'ok' });
    expect((await page('GET', `/v1/runs/${run.body.id}`)).body.data.created_by).toEqual(credential);
    const [change] = (await page('GET', `/v1/suites/${suite.id}/changes`)).body.data;
    expect(change.by).toEqual(credential);
  });

  test('sees what its key is bound to, and changes nothing with the scope read', async () => {
    const [inside, outside] = [
      await makeProject(organisation.client, { slug: 'inside' }),
      await makeProject(organisation.client, { slug: 'outside' }),
    ];
    const { key } = await makeKey(organisation.client, { scope: 'read', project: inside.slug });
    const { page } = await open(key);
    expect((await page('GET', '/v1/projects')).body.data).toEqual([inside]);
    expect((await page('GET', `/v1/projects/${outside.slug}`)).status).toBe(404);
    const refused = await page('POST', `/v1/projects/${inside.slug}/suites`, { name: 'Mine' });
    expect(refused.body.error.code).toBe('SCOPE_REQUIRED');
  });

  test('ends with its key, before the next request', async () => {
    const { id, key } = await makeKey(organisation.client);
    const { page } = await open(key);
    expect((await page('GET', '/v1/whoami')).status).toBe(200);
    await organisation.client('DELETE', `/v1/api-keys/${id}`);
    expect((await page('GET', '/v1/whoami')).status).toBe(401);
    expect((await page('DELETE', PATH)).status).toBe(401);
  });

  test('ends twelve hours after it began, whatever it does', async () => {
    const { page } = await open();
    service.clock.ms = T0 + 12 * HOUR_MS - 1_000;
    expect((await page('GET', '/v1/whoami')).status).toBe(200);
    service.clock.ms = T0 + 12 * HOUR_MS;
    expect((await page('GET', '/v1/whoami')).status).toBe(401);
  });

  test('sends JSON that is declared as such, or is refused: no form of another page can', async () => {
    const { page } = await open();
    const named = JSON.stringify({ name: 'Formed' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/csp-report+json']) {
      expectInvalid(await page('POST', '/v1/projects', named, { 'content-type': type }), 'body');
    }
    expectInvalid(await page('POST', '/v1/projects', named, { 'content-type': [] }), 'body');
    const typed = { 'content-type': 'application/json; charset=utf-8' };
    expect((await page('POST', '/v1/projects', named, typed)).status).toBe(201);
  });

  test('costs one read unit more than a key and is opened for as many as a token', async () => {
    const { page } = await open();
    const { first, client } = organisation;
    // Whatever a function learns first, and when a key was used.
    await Promise.all([page('GET', '/v1/projects'), client('GET', '/v1/projects')]);
    const unitsOf = async (call: () => Promise<unknown>) => (await costOf(service, call)).read;
    const byKey = await unitsOf(() => client('GET', '/v1/projects'));
    expect(await unitsOf(() => page('GET', '/v1/projects'))).toBe(byKey + 1);
    const ofToken = await unitsOf(() => api(service.baseUrl, first.key)('POST', '/v1/auth/token'));
    expect(await unitsOf(() => open())).toBe(ofToken);
  });
});

describe('DELETE /v1/auth/session', () => {
  test('takes the cookie back and ends all sessions of the key, and no others', async () => {
    const { key } = await makeKey(organisation.client);
    const [mine, elsewhere, others] = [await open(key), await open(key), await open()];
    service.clock.ms = T0 + 1;
    const { status, body, setCookie } = await mine.page('DELETE', PATH);
    expect({ status, body }).toEqual({ status: 204, body: undefined });
    expect(setCookie).toEqual([`evalgate-${port}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`]);
    for (const { page } of [mine, elsewhere]) expect((await page('GET', '/v1/whoami')).status).toBe(401);
    expect((await others.page('GET', '/v1/whoami')).status).toBe(200);
    expect((await api(service.baseUrl, key)('GET', '/v1/whoami')).status).toBe(200);
    service.clock.ms = T0 + 2;
    expect((await (await open(key)).page('GET', '/v1/whoami')).status).toBe(200);
  });

  test('ends also a session whose function had a clock ahead of the one that ends it', async () => {
    const { key } = await makeKey(organisation.client);
    service.clock.ms = T0 + 20_000;
    const { page } = await open(key);
    service.clock.ms = T0;
    expect((await page('DELETE', PATH)).status).toBe(204);
    expect((await page('GET', '/v1/whoami')).status).toBe(401);
  });

  test('takes an API key, too, and neither a token nor a request of another page', async () => {
    const { key } = await makeKey(organisation.client);
    const { page, cookie } = await open(key);
    const token = await makeToken(service, key);
    expect((await withKey(token)('DELETE', PATH)).status).toBe(403);
    const elsewhere = sender(service.baseUrl, { cookie, 'sec-fetch-site': 'cross-site' });
    expect((await elsewhere('DELETE', PATH)).status).toBe(401);
    expect((await page('GET', '/v1/whoami')).status).toBe(200);
    expect((await withKey(key)('DELETE', PATH)).status).toBe(204);
    expect((await page('GET', '/v1/whoami')).status).toBe(401);
  });
});
