import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { SAME_ORIGIN, sender } from '../auth/browser.ts';
import { CLIENT_ID, kept, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => {
  world.provider.reset();
  world.service.clock.ms = undefined;
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;
const VERIFIER = 'a-verifier-of-the-command-line-0123456789-abc';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

async function administered() {
  const org = await world.organisation();
  const registration = await org.admit({ everyone: true, scope: 'full' });
  return { org, registration };
}

const nowSeconds = () => Math.floor(world.nowMs() / 1_000);

const tokenOf = (code: string, code_verifier = VERIFIER) =>
  api(world.service.baseUrl)('POST', '/v1/auth/token', { code, code_verifier });

async function commandLineOf(
  { page }: { readonly page: ReturnType<typeof sender> },
  scope?: string,
): Promise<string> {
  const { status, body } = await page('POST', '/v1/auth/cli', {
    challenge: CHALLENGE,
    ...(scope && { scope }),
  });
  if (status !== 201) throw new Error(`making a code: ${status}`);
  const answer = await tokenOf(body.data.code);
  expect(answer.status).toBe(200);
  return answer.body.data.token;
}

describe('the session of a person, and the token of its command line,', () => {
  test.each(['registration', 'sign-out', 'sessions of the person', 'all sessions'])(
    'end at the next request after the end of: %s',
    async (what) => {
      const { org, registration } = await administered();
      const [session, other] = [await org.signIn(), await org.signIn()];
      const line = api(world.service.baseUrl, await commandLineOf(session));
      world.provider.claims = { sub: 'person-2' };
      const stranger = await org.signIn();
      expect((await line('GET', '/v1/whoami')).status).toBe(200);
      const { client } = org;
      const end = {
        registration: () => client('DELETE', `/v1/trusted-issuers/${registration.id}`),
        'sign-out': () => session.page('DELETE', '/v1/auth/session'),
        'sessions of the person': () => client('DELETE', '/v1/sign-in/sessions?subject=person-1'),
        'all sessions': () => client('DELETE', '/v1/sign-in/sessions'),
      }[what] as () => Promise<{ status: number }>;
      expect((await end()).status).toBe(204);
      for (const send of [session.page, other.page, line])
        expect((await send('GET', '/v1/whoami')).status).toBe(401);
      const ofOther = what === 'registration' || what === 'all sessions' ? 401 : 200;
      expect((await stranger.page('GET', '/v1/whoami')).status).toBe(ofOther);
      expect((await client('GET', '/v1/whoami')).status).toBe(200);
    },
  );

  test('are in the log of the organisation where another one ends them, by whom and of whom', async () => {
    const { org } = await administered();
    const session = await org.signIn();
    await session.page('DELETE', '/v1/auth/session');
    await org.client('DELETE', '/v1/sign-in/sessions?subject=person-1');
    await org.client('DELETE', '/v1/sign-in/sessions');
    const { body } = await org.client('GET', '/v1/changes');
    const entries = body.data.filter(({ action }: { action: string }) => action === 'revoked');
    const of = (from: string) => ({
      by: { type: 'api_key' },
      target: { type: 'sign_in', id: CLIENT_ID },
      changes: { sessions_of: { from, to: null } },
    });
    expect(entries).toMatchObject([of('all'), of('person-1')]);
  });

  test('are opened again after a sign-out', async () => {
    const { org } = await administered();
    await (await org.signIn()).page('DELETE', '/v1/auth/session');
    expect((await (await org.signIn()).page('GET', '/v1/whoami')).status).toBe(200);
  });

  test('end after eight hours', async () => {
    const { org } = await administered();
    const start = world.nowMs();
    const session = await org.signIn();
    const line = api(world.service.baseUrl, await commandLineOf(session));
    world.service.clock.ms = start + 8 * HOUR_MS - 10_000;
    expect((await session.page('GET', '/v1/whoami')).status).toBe(200);
    expect((await line('GET', '/v1/whoami')).status).toBe(200);
    world.service.clock.ms = start + 8 * HOUR_MS + 60_000;
    expect((await session.page('GET', '/v1/whoami')).status).toBe(401);
    expect((await line('GET', '/v1/whoami')).status).toBe(401);
  });

  test('of one organisation are nothing at another, nor are its sign-in, registrations and log', async () => {
    const { org, registration } = await administered();
    const { org: other } = await administered();
    const { page } = await org.signIn();
    expect((await page('GET', '/v1/whoami')).body.data.organisation.id).toBe(org.id);
    expect((await other.client('DELETE', `/v1/trusted-issuers/${registration.id}`)).status).toBe(404);
    expect((await other.client('DELETE', '/v1/sign-in/sessions?subject=person-1')).status).toBe(204);
    expect((await page('GET', '/v1/whoami')).status).toBe(200);
    const log = JSON.stringify((await other.client('GET', '/v1/changes')).body);
    expect(log).not.toContain(registration.id);
  });
});

describe('a sensitive request', () => {
  const keysOf = (page: ReturnType<typeof sender>) =>
    page('POST', '/v1/api-keys', {
      name: 'By a person',
      scope: 'run',
      expires_at: new Date(world.nowMs() + HOUR_MS).toISOString(),
    });

  test.each([
    ['none', undefined],
    ['one that is eleven minutes old, as of an old single sign-on', -660],
    ['one to come', 3_600],
  ])('of a session is refused whose token has as auth_time: %s', async (_, age) => {
    const { org } = await administered();
    world.provider.claims = { auth_time: age === undefined ? undefined : nowSeconds() + age };
    const { page } = await org.signIn();
    const { status, body } = await keysOf(page);
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    expect(body.error.message).toContain('sign in again');
  });

  test('is answered for ten minutes from the auth_time of the token', async () => {
    const { org } = await administered();
    const start = world.nowMs();
    world.service.clock.ms = start;
    world.provider.claims = { auth_time: Math.floor(start / 1_000) - 300 };
    const { page } = await org.signIn();
    expect((await keysOf(page)).status).toBe(201);
    world.service.clock.ms = start + 301_000;
    expect((await keysOf(page)).status).toBe(403);
  });

  test.each([
    ['an old auth_time', -60],
    ['no auth_time', undefined],
    ['an auth_time to come', 3_600],
  ])('gets no fresh sign-in by %s: 403, and the present session stays', async (_, age) => {
    const { org } = await administered();
    const session = await org.signIn();
    const begun = await org.begin({ fresh: true }, session.cookie);
    expect(Object.fromEntries(begun.sent)).toMatchObject({ prompt: 'login', max_age: '0' });
    world.provider.claims = { auth_time: age === undefined ? undefined : nowSeconds() + age };
    const { status, body, setCookie } = await org.finish(begun);
    expect({ status, code: body.error.code, setCookie }).toEqual({
      status: 403,
      code: 'REAUTHENTICATION_REQUIRED',
      setCookie: [],
    });
    expect((await session.page('GET', '/v1/whoami')).status).toBe(200);
  });

  test('gets no fresh sign-in by another person, and one by the same', async () => {
    const { org } = await administered();
    const session = await org.signIn();
    const begun = await org.begin({ fresh: true }, session.cookie);
    world.provider.claims = { sub: 'person-2', auth_time: nowSeconds() };
    expect(await org.finish(begun)).toMatchObject({ status: 403, setCookie: [] });
    world.provider.claims = { auth_time: nowSeconds() };
    const { status, setCookie } = await org.finish(begun);
    expect(status).toBe(201);
    const page = sender(world.service.baseUrl, { ...SAME_ORIGIN, cookie: kept(setCookie[0] ?? '') });
    expect((await keysOf(page)).status).toBe(201);
  });

  test('makes a person no key of scope full and none without an end within a year; keys name who made them', async () => {
    const { org } = await administered();
    world.provider.claims = { auth_time: nowSeconds() };
    const { page } = await org.signIn();
    const inDays = (days: number) => new Date(world.nowMs() + days * 24 * HOUR_MS).toISOString();
    const make = (fields: object) => page('POST', '/v1/api-keys', { name: 'By a person', ...fields });
    expectInvalid(await make({ scope: 'full', expires_at: inDays(1) }), 'scope');
    expectInvalid(await make({ expires_at: inDays(1) }), 'scope');
    expectInvalid(await make({ scope: 'run' }), 'expires_at');
    expectInvalid(await make({ scope: 'run', expires_at: inDays(366) }), 'expires_at');
    expect((await make({ scope: 'suites', expires_at: inDays(364) })).status).toBe(201);
    const [newest, first] = (await org.client('GET', '/v1/api-keys')).body.data;
    expect(newest.created_by).toMatchObject({ type: 'person', subject: 'person-1', name: 'Ada Lovelace' });
    expect(first.created_by).toBeNull();
  });
});

describe('a code of a command line', () => {
  test('is a token with the rights of the session, or fewer, that makes neither keys nor registrations', async () => {
    const { org } = await administered();
    world.provider.claims = { auth_time: nowSeconds() };
    const session = await org.signIn();
    const line = api(world.service.baseUrl, await commandLineOf(session));
    const { data } = (await line('GET', '/v1/whoami')).body;
    expect(data).toMatchObject({ scope: 'full', credential: { type: 'person', subject: 'person-1' } });
    const refused = [
      await line('POST', '/v1/api-keys', {
        name: 'x',
        scope: 'run',
        expires_at: new Date(world.nowMs() + HOUR_MS).toISOString(),
      }),
      await line('POST', '/v1/trusted-issuers', { repository: 'acme/bot' }),
      await line('PUT', '/v1/sign-in', { issuer: world.provider.url, client_id: CLIENT_ID }),
      await line('DELETE', '/v1/sign-in/sessions'),
      await line('POST', '/v1/organisation/deletion', { organisation: org.id }),
      await line('POST', '/v1/auth/cli', { challenge: CHALLENGE }),
    ];
    for (const { status, body } of refused)
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'SCOPE_REQUIRED' });
    const narrow = api(world.service.baseUrl, await commandLineOf(session, 'run'));
    expect((await narrow('GET', '/v1/whoami')).body.data.scope).toBe('run');
  });

  test('is made by persons who are signed in alone, and with no more rights than the session', async () => {
    const org = await world.organisation();
    await org.admit({ everyone: true, scope: 'read' });
    const { page } = await org.signIn();
    expect((await page('POST', '/v1/auth/cli', { challenge: CHALLENGE, scope: 'full' })).status).toBe(403);
    expect((await page('POST', '/v1/auth/cli', { challenge: 'short' })).status).toBe(400);
    expect((await org.client('POST', '/v1/auth/cli', { challenge: CHALLENGE })).status).toBe(403);
    const form = await page('POST', '/v1/auth/cli', JSON.stringify({ challenge: CHALLENGE }), {
      'content-type': 'text/plain',
    });
    expect(form.status).not.toBe(201);
  });

  test('is refused with another verifier, a second time, after a minute, after a sign-out, and beside a header', async () => {
    const { org } = await administered();
    const session = await org.signIn();
    const made = async () =>
      (await session.page('POST', '/v1/auth/cli', { challenge: CHALLENGE })).body.data.code as string;
    const code = await made();
    expect((await tokenOf(code, `${VERIFIER}x`)).status).toBe(401);
    expect((await tokenOf(code)).status).toBe(200);
    expect((await tokenOf(code)).status).toBe(401);
    const [late, ended, both] = [await made(), await made(), await made()];
    const withKey = await org.client('POST', '/v1/auth/token', { code: both, code_verifier: VERIFIER });
    expectInvalid(withKey, 'code');
    expect((await api(world.service.baseUrl)('POST', '/v1/auth/token', { code: both })).status).toBe(401);
    const before = world.nowMs();
    world.service.clock.ms = before + 61_000;
    expect((await tokenOf(late)).status).toBe(401);
    world.service.clock.ms = before;
    await session.page('DELETE', '/v1/auth/session');
    expect((await tokenOf(ended)).status).toBe(401);
  });

  test('is given by a fresh sign-in alone, and its token ends with the session', async () => {
    const { org } = await administered();
    const start = world.nowMs();
    world.service.clock.ms = start;
    world.provider.claims = { auth_time: undefined };
    const old = await (await org.signIn()).page('POST', '/v1/auth/cli', { challenge: CHALLENGE });
    expect({ status: old.status, code: old.body.error.code }).toEqual({
      status: 403,
      code: 'REAUTHENTICATION_REQUIRED',
    });
    world.provider.claims = {};
    const { page } = await org.signIn();
    world.service.clock.ms = start + 300_000;
    const { code } = (await page('POST', '/v1/auth/cli', { challenge: CHALLENGE })).body.data;
    const { expires_at } = (await tokenOf(code)).body.data;
    expect(Date.parse(expires_at)).toBeLessThanOrEqual(start + 8 * HOUR_MS);
    expect(Date.parse(expires_at)).toBeGreaterThan(start + 8 * HOUR_MS - 5_000);
  });

  test('takes no scope beside it', async () => {
    const { org } = await administered();
    const { page } = await org.signIn();
    const { code } = (await page('POST', '/v1/auth/cli', { challenge: CHALLENGE })).body.data;
    const body = { code, code_verifier: VERIFIER, scope: 'run' };
    expectInvalid(await api(world.service.baseUrl)('POST', '/v1/auth/token', body), 'scope');
  });

  test('is no token, and no session is one', async () => {
    const { org } = await administered();
    const session = await org.signIn();
    const { code } = (await session.page('POST', '/v1/auth/cli', { challenge: CHALLENGE })).body.data;
    const cookie = session.cookie.slice(session.cookie.indexOf('=') + 1);
    for (const text of [code, cookie])
      expect((await api(world.service.baseUrl, text)('GET', '/v1/whoami')).status).toBe(401);
    expect((await tokenOf(cookie)).status).toBe(401);
  });
});
