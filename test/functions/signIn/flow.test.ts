import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { signedJwt, signingKey } from '../../support/oidc.ts';
import { decoded } from '../../support/tokenKeys.ts';
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

async function everyone() {
  const org = await world.organisation();
  await org.admit({ everyone: true, scope: 'read' });
  return org;
}

describe('a sign-in', () => {
  test('sends the browser to the provider with PKCE, state and nonce, and keeps what it needs in a cookie for ten minutes', async () => {
    const { id } = await everyone();
    const page = sender(world.service.baseUrl, SAME_ORIGIN);
    const { status, body, setCookie } = await page('POST', '/v1/auth/sign-in', { organisation: id });
    expect(status).toBe(200);
    const url = new URL(body.data.url);
    expect(url.origin + url.pathname).toBe(`${world.provider.url}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: `${world.service.baseUrl}/app/signed-in/${id}`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(body.data.label).toBe(new URL(world.provider.url).host);
    expect(setCookie).toEqual([
      expect.stringMatching(/^evalgate-sign-in-\d+=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
  });

  test('ends with a session of eight hours that names the person, and redeems the code with the verifier of the challenge', async () => {
    const org = await everyone();
    const begun = await org.begin();
    const { status, setCookie } = await org.finish(begun);
    expect(status).toBe(201);
    expect(setCookie).toEqual([
      expect.stringMatching(/^evalgate-\d+=\S+; Max-Age=28800; /),
      expect.stringMatching(/^evalgate-sign-in-\d+=; Max-Age=0; /),
    ]);
    const page = sender(world.service.baseUrl, { ...SAME_ORIGIN, cookie: kept(setCookie[0] ?? '') });
    const { data } = (await page('GET', '/v1/whoami')).body;
    const [registration] = (await org.client('GET', '/v1/trusted-issuers')).body.data;
    expect(data).toMatchObject({
      scope: 'read',
      credential: {
        type: 'person',
        registration_id: registration.id,
        issuer: world.provider.url,
        subject: 'person-1',
        name: 'Ada Lovelace',
        label: 'Ada Lovelace',
      },
    });
    expect(registration.last_used_at).not.toBeNull();
    const [{ authorization, fields } = { authorization: '', fields: {} }] = world.provider.tokenRequests;
    expect(authorization).toBeUndefined();
    const pass = decoded(begun.cookie.slice(begun.cookie.indexOf('=') + 1), 1) as {
      pass: { verifier: string };
    };
    expect(fields).toEqual({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      code: 'a-code',
      code_verifier: pass.pass.verifier,
      redirect_uri: `${world.service.baseUrl}/app/signed-in/${org.id}`,
    });
  });

  test('of a client with a secret proves itself by it, and no answer, log line or item shows the secret', async () => {
    const secret = 'a-secret-of-the-client';
    const org = await world.organisation({ client_secret: secret });
    await org.admit({ everyone: true, scope: 'run' });
    await org.signIn();
    const [, ...words] = (world.provider.tokenRequests[0]?.authorization ?? '').split(' ');
    const sent = Buffer.from(String(words), 'base64').toString().split(':').map(decodeURIComponent);
    expect(sent).toEqual([CLIENT_ID, secret]);
    const shown = (await org.client('GET', '/v1/sign-in')).body;
    expect(shown.data.has_secret).toBe(true);
    const everything = JSON.stringify([shown, world.service.log, await world.service.items()]);
    expect(everything).not.toContain(secret);
  });

  test('keeps of a person the subject and the name only, and logs the subject alone', async () => {
    const org = await world.organisation();
    await org.admit({ claims: { groups: 'staff' }, scope: 'full' });
    world.provider.claims = {
      email: 'ada@example.com',
      groups: ['staff', 'secret-group'],
      auth_time: world.nowMs() / 1_000,
    };
    const { page } = await org.signIn();
    await page('POST', '/v1/projects', { name: 'By a person' });
    const items = JSON.stringify(await world.service.items());
    expect(items).toContain('person-1');
    expect(items).not.toMatch(/ada@example\.com|secret-group/);
    const lines = JSON.stringify(world.service.log);
    expect(lines).toContain('person-1');
    expect(lines).not.toMatch(/Ada Lovelace|ada@example\.com|secret-group/);
  });

  test('keeps no name where names are left out', async () => {
    const org = await world.organisation({ name_claim: null });
    await org.admit({ everyone: true, scope: 'read' });
    const { page } = await org.signIn();
    expect((await page('GET', '/v1/whoami')).body.data.credential).toMatchObject({
      subject: 'person-1',
      name: null,
      label: 'person-1',
    });
  });

  test('is the same 404 for an organisation without one, for none and for text that is no id', async () => {
    const { body: signedUp } = await api(world.service.baseUrl)('POST', '/v1/auth/signup', {
      name: 'Without',
    });
    const page = sender(world.service.baseUrl, SAME_ORIGIN);
    const answers = await Promise.all(
      [signedUp.data.organisation.id, '5f1c9a86-3b7d-4c21-9e0f-6a2b8d4c7e13', '../ORG#x', ''].map(
        (organisation) => page('POST', '/v1/auth/sign-in', { organisation }),
      ),
    );
    for (const { status, body, setCookie } of answers) {
      expect({ status, body, setCookie }).toEqual({
        status: 404,
        body: { error: { code: 'NOT_FOUND', message: 'No such sign-in.' } },
        setCookie: [],
      });
    }
  });

  test.each([
    ['without a word of where it comes from', {}],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['that a person typed', { 'sec-fetch-site': 'none' }],
  ])('neither begins nor ends by a request %s', async (_, headers) => {
    const org = await everyone();
    const { sent, cookie } = await org.begin();
    const send = sender(world.service.baseUrl, { ...headers, cookie });
    const begun = await send('POST', '/v1/auth/sign-in', { organisation: org.id });
    const ended = await send('POST', '/v1/auth/sign-in/finish', { code: 'a-code', state: sent.get('state') });
    for (const { status, setCookie } of [begun, ended])
      expect({ status, setCookie }).toEqual({ status: 400, setCookie: [] });
    expect(world.provider.tokenRequests).toEqual([]);
  });

  test('does not end with a body that a form can send', async () => {
    const org = await everyone();
    const { sent, cookie } = await org.begin();
    const send = sender(world.service.baseUrl, { ...SAME_ORIGIN, cookie, 'content-type': 'text/plain' });
    const body = JSON.stringify({ code: 'a-code', state: sent.get('state') });
    expect((await send('POST', '/v1/auth/sign-in/finish', body)).status).toBe(400);
    expect(world.provider.tokenRequests).toEqual([]);
  });
});

const FAILED = {
  status: 400,
  setCookie: [],
  body: { error: { code: 'SIGN_IN_FAILED', message: expect.stringContaining('You are not signed in') } },
};

describe('gives no session for', () => {
  test.each([
    ['another state', { state: 'x'.repeat(43) }],
    ['another issuer in the answer', { iss: 'https://other.example' }],
  ])('%s, and sends the code nowhere', async (_, sent) => {
    const org = await everyone();
    const { status, setCookie, body } = await org.finish(await org.begin(), sent);
    expect({ status, setCookie, body }).toEqual(FAILED);
    expect(world.provider.tokenRequests).toEqual([]);
  });

  test('an answer without its issuer where discovery announces one', async () => {
    const other = await startWorld();
    try {
      other.provider.discovery = { authorization_response_iss_parameter_supported: true };
      const org = await other.organisation();
      await org.admit({ everyone: true, scope: 'read' });
      const { status, body, setCookie } = await org.finish(await org.begin());
      expect({ status, setCookie, body }).toEqual(FAILED);
      expect((await org.finish(await org.begin(), { iss: other.provider.url })).status).toBe(201);
    } finally {
      await other.stop();
      process.env.BASE_URL = world.service.baseUrl;
    }
  });

  test('another browser, which has no cookie of it, and for one that is older than ten minutes', async () => {
    const org = await everyone();
    const begun = await org.begin();
    const without = await org.finish({ ...begun, cookie: 'other=1' });
    const foreign = await org.finish({ ...begun, cookie: (await (await everyone()).begin()).cookie });
    world.service.clock.ms = world.nowMs() + 601_000;
    const late = await org.finish(begun);
    for (const { status, setCookie, body } of [without, foreign, late])
      expect({ status, setCookie, body }).toEqual(FAILED);
    expect(world.provider.tokenRequests).toEqual([]);
  });

  test('a cookie of another kind that we signed: a session, a code of a command line', async () => {
    const org = await everyone();
    const begun = await org.begin();
    const name = begun.cookie.slice(0, begun.cookie.indexOf('='));
    const { cookie, page } = await org.signIn();
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const { code } = (await page('POST', '/v1/auth/cli', { challenge })).body.data;
    const session = cookie.slice(cookie.indexOf('=') + 1);
    for (const value of [session, code]) {
      const { status, setCookie, body } = await org.finish({ ...begun, cookie: `${name}=${value}` });
      expect({ status, setCookie, body }).toEqual(FAILED);
    }
  });

  test.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'another-client' }],
    ['several audiences without the party it is for', { aud: [CLIENT_ID, 'another'] }],
    ['several audiences for another party', { aud: [CLIENT_ID, 'another'], azp: 'another' }],
    ['a time that is over', { iat: 1_700_000_000, exp: 1_700_000_300 }],
    ['a time to come', { iat: 4_000_000_000, exp: 4_000_000_300 }],
    ['no end', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['a subject of more than 255 characters', { sub: 'x'.repeat(256) }],
    ['a subject with control characters', { sub: 'a\u0000b' }],
  ])('an ID token with %s', async (_, claims) => {
    const org = await everyone();
    const begun = await org.begin();
    world.provider.claims = { aud: CLIENT_ID, nonce: begun.sent.get('nonce'), ...claims };
    const { status, setCookie, body } = await org.finish({
      ...begun,
      sent: new URLSearchParams({ state: begun.sent.get('state') ?? '', nonce: '' }),
    });
    expect({ status, setCookie, body }).toEqual(FAILED);
  });

  test.each([
    [
      'by another key of the same id',
      () => ({ signer: { ...signingKey(), kid: world.provider.keys[0]?.kid ?? '' } }),
    ],
    ['by a key that is not published', () => ({ signer: signingKey() })],
    ['without a signature', () => ({ header: { alg: 'none' } })],
    ['with the public key as a secret', () => ({ header: { alg: 'HS256' } })],
    ['with an extension that has to be known', () => ({ header: { crit: ['b64'], b64: false } })],
  ])('an ID token that is signed %s', async (_, change) => {
    const org = await everyone();
    Object.assign(world.provider, change());
    const { status, setCookie, body } = await org.finish(await org.begin());
    expect({ status, setCookie, body }).toEqual(FAILED);
  });

  test.each([
    [
      'a used code',
      400,
      { error: 'invalid_grant', error_description: 'SECRET-TEXT' },
      'does not take the code',
    ],
    ['a wrong client', 401, { error: 'invalid_client' }, 'client_id or client_secret is wrong'],
    ['an error of its own', 400, { error: 'SECRET-TEXT' }, "the provider's answer"],
    ['no ID token', 200, { access_token: 'x', token_type: 'Bearer' }, "the provider's answer"],
    ['something else than JSON', 200, 'SECRET-TEXT', "the provider's answer"],
  ])('%s at the token endpoint, whose text is not quoted', async (_, status, body, cause) => {
    const org = await everyone();
    world.provider.answer = { status, body };
    const answer = await org.finish(await org.begin());
    expect(answer.status).toBe(400);
    expect(answer.setCookie).toEqual([]);
    expect(answer.body.error.message).toContain(cause);
    expect(JSON.stringify([answer.body, world.service.log])).not.toContain('SECRET-TEXT');
  });

  test('a provider that has changed meanwhile', async () => {
    const org = await world.organisation();
    const begun = await org.begin();
    await org.client('PUT', '/v1/sign-in', { issuer: world.provider.url, client_id: 'another' });
    const { status, body, setCookie } = await org.finish(begun);
    expect({ status, setCookie, body }).toEqual(FAILED);
    expect(world.provider.tokenRequests).toEqual([]);
  });

  test('an ID token in the header, at any endpoint and for a token', async () => {
    const org = await everyone();
    const iat = Math.floor(world.nowMs() / 1_000);
    const key = world.provider.keys[0] as ReturnType<typeof signingKey>;
    const claims = { iss: world.provider.url, sub: 'person-1', iat, exp: iat + 300 };
    for (const aud of [CLIENT_ID, `evalgate:${org.id}`]) {
      const token = signedJwt({ alg: 'RS256', typ: 'JWT', kid: key.kid }, { ...claims, aud }, key);
      const send = sender(world.service.baseUrl, { authorization: `Bearer ${token}` });
      expect((await send('GET', '/v1/whoami')).status).toBe(401);
      expect((await send('POST', '/v1/auth/token', {})).status).toBe(401);
    }
  });
});

test('a failed sign-in leaves the present session as it is', async () => {
  const org = await everyone();
  const { page, cookie } = await org.signIn();
  const begun = await org.begin({}, cookie);
  world.provider.claims = { nonce: 'another' };
  const { status } = await org.finish({ sent: begun.sent, cookie: `${cookie}; ${begun.cookie}` });
  expect(status).toBe(400);
  expect((await page('GET', '/v1/whoami')).status).toBe(200);
});

test('a provider that cannot be reached is a 503 that names it, and an API key works meanwhile', async () => {
  const other = await startWorld();
  const org = await other.organisation();
  await org.admit({ everyone: true, scope: 'read' });
  const begun = await org.begin();
  await other.provider.stop();
  const { status, body } = await org.finish(begun);
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'OIDC_ISSUER_UNAVAILABLE' });
  expect(body.error.message).toContain(other.provider.url);
  expect((await org.client('GET', '/v1/whoami')).status).toBe(200);
  await other.stop().catch(() => undefined);
  process.env.BASE_URL = world.service.baseUrl;
});
