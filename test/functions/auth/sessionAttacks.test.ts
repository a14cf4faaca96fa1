import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { decoded, signedToken, type TokenKey, tokenKeys } from '../../support/tokenKeys.ts';
import { makeToken, newOrganisation, type Organisation } from '../apiKeys/organisation.ts';
import { type Opened, openSession, SAME_ORIGIN, sender } from './browser.ts';
import { FORGERIES } from './forgeries.ts';

const { folder, keys } = tokenKeys(1);
const [signing] = keys as [TokenKey];
let service: OwnService;
let organisation: Organisation;
let opened: Opened;
let name: string;
let refusal: object;
beforeAll(async () => {
  service = await startOwnService({
    TOKEN_KEY_FILES: signing.file,
    TOKEN_ISSUER: 'https://api.example.test',
  });
  organisation = await newOrganisation(service);
  opened = await openSession(service, organisation.first.key);
  name = opened.cookie.slice(0, opened.cookie.indexOf('='));
  refusal = (await sender(service.baseUrl)('GET', '/v1/whoami')).body;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

type Lines = Readonly<Record<string, string | readonly string[]>>;

async function expectRefused(headers: Lines): Promise<void> {
  const send = sender(service.baseUrl, headers);
  for (const answer of [await send('GET', '/v1/whoami'), await send('POST', '/v1/projects', { name: 'X' })]) {
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: refusal });
    const cors = [...answer.headers.keys()].filter((header) => header.startsWith('access-control'));
    expect([cors, answer.setCookie]).toEqual([[], []]);
  }
}

describe('a session does not count', () => {
  test.each<[string, (cookie: string) => Lines]>([
    ['without Sec-Fetch-Site', (cookie) => ({ cookie })],
    ...[
      'cross-site',
      'same-site',
      'none',
      'Same-Origin',
      'same-origin, same-origin',
      ' ',
      'same-origin;',
    ].map((site): [string, (cookie: string) => Lines] => [
      `for Sec-Fetch-Site: ${site}`,
      (cookie) => ({ cookie, 'sec-fetch-site': site }),
    ]),
    [
      'where the header comes twice',
      (cookie) => ({ cookie, 'sec-fetch-site': ['same-origin', 'same-origin'] }),
    ],
    [
      'where one header says so and another does not',
      (cookie) => ({ cookie, 'sec-fetch-site': ['cross-site', 'same-origin'] }),
    ],
    ['twice in one line', (cookie) => ({ ...SAME_ORIGIN, cookie: `${cookie}; ${cookie}` })],
    ['in two lines', (cookie) => ({ ...SAME_ORIGIN, cookie: [cookie, cookie] })],
    [
      'beside an empty one of its name',
      (cookie) => ({ ...SAME_ORIGIN, cookie: `${cookie}; ${cookie.split('=')[0]}=` }),
    ],
    [
      'under the name of a service on another port',
      (cookie) => ({ ...SAME_ORIGIN, cookie: `evalgate-1=${cookie.split('=')[1]}` }),
    ],
    [
      'under the name for https',
      (cookie) => ({ ...SAME_ORIGIN, cookie: `__Host-evalgate=${cookie.split('=')[1]}` }),
    ],
    ['at another host name', (cookie) => ({ ...SAME_ORIGIN, cookie, host: 'rebound.example' })],
    [
      'beside a header with nonsense',
      (cookie) => ({ ...SAME_ORIGIN, cookie, authorization: 'Bearer sesame' }),
    ],
    ['beside an empty header', (cookie) => ({ ...SAME_ORIGIN, cookie, authorization: '' })],
    ['as Bearer', (cookie) => ({ ...SAME_ORIGIN, authorization: `Bearer ${cookie.split('=')[1]}` })],
    ['as Bearer of a script', (cookie) => ({ authorization: `Bearer ${cookie.split('=')[1]}` })],
  ])('%s', async (_, headersOf) => {
    await expectRefused(headersOf(opened.cookie));
    expect((await opened.page('GET', '/v1/whoami')).status).toBe(200);
  });

  test('in the query or the body', async () => {
    const anyone = sender(service.baseUrl, SAME_ORIGIN);
    expect((await anyone('GET', `/v1/whoami?${opened.cookie}`)).status).toBe(401);
    expect((await anyone('POST', '/v1/projects', { name: 'X', [name]: opened.token })).status).toBe(401);
  });
});

test('cookies of others beside it change nothing', async () => {
  const cookie = `theme=dark; evalgate-1=x; ${opened.cookie}; x${opened.cookie}`;
  const send = sender(service.baseUrl, { ...SAME_ORIGIN, cookie });
  expect((await send('GET', '/v1/whoami')).status).toBe(200);
});

const inCookie = (token: string): Lines => ({ ...SAME_ORIGIN, cookie: `${name}=${token}` });

test('a token, or an API key, is no session', async () => {
  const token = await makeToken(service, organisation.first.key);
  await expectRefused(inCookie(token));
  await expectRefused(inCookie(organisation.first.key));
  // Nor with the headers and claims of the other kind, one by one.
  const [header, claims] = [decoded(opened.token, 0), decoded(opened.token, 1)];
  for (const [ofHeader, ofClaims] of [
    [{ typ: 'at+jwt' }, {}],
    [{}, { aud: 'urn:evalgate:api' }],
    [{}, { credential: { ...(claims.credential as object), type: 'token' } }],
    [{ typ: 'at+jwt' }, { aud: 'urn:evalgate:api' }],
  ] as const) {
    const mixed = signedToken(signing, { ...header, ...ofHeader }, { ...claims, ...ofClaims });
    await expectRefused(inCookie(mixed));
    await expectRefused({ authorization: `Bearer ${mixed}` });
  }
});

/** A session may last so long. */
const OF_TOKENS = new Set(['a second more than an hour to live']);

test.each(FORGERIES.filter(([title]) => !OF_TOKENS.has(title)))(
  '%s: the same 401 as for no session at all',
  async (_, forge) => {
    const forged = forge(opened.token, signing, Math.floor(Date.now() / 1_000));
    expect(forged).not.toBe(opened.token);
    await expectRefused(inCookie(forged));
  },
);

test('a second more than twelve hours to live is too long', async () => {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const lasting = (seconds: number) =>
    inCookie(
      signedToken(signing, decoded(opened.token, 0), {
        ...decoded(opened.token, 1),
        iat: nowSeconds,
        exp: nowSeconds + seconds,
      }),
    );
  await expectRefused(lasting(43_201));
  expect((await sender(service.baseUrl, lasting(43_200))('GET', '/v1/whoami')).status).toBe(200);
});

test('nothing of this was a fault of ours, and no key, token or cookie is in the log', () => {
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  const text = JSON.stringify(service.log);
  for (const secret of [opened.token, organisation.first.key]) expect(text).not.toContain(secret);
});
