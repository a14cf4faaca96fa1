import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IssuedToken, IssuerTokens } from '../../../shared/domain/accounts/ports.ts';
import { keySetStore } from '../../../shared/storage/accounts/keySets.ts';
import { issuerTokens } from '../../../shared/tokens/issuerTokens.ts';
import { MemoryTable } from '../../support/memory/memoryTable.ts';
import {
  aRepository,
  type Claims,
  jobClaims,
  jwkOf,
  type OidcIssuer,
  type SigningKey,
  signedJwt,
  signingKey,
  startOidcIssuer,
} from '../../support/oidc.ts';
import { base64url } from '../../support/tokenKeys.ts';

const NOW_MS = Date.parse('2026-05-05T10:00:00.750Z');
const NOW_S = Math.floor(NOW_MS / 1_000);
const ORG = randomUUID();
const CLAIMS = jobClaims(ORG, aRepository('octo-org/app'), NOW_MS);
const HOUR_S = 3_600;
const stranger = signingKey();

/** One signs by RSA, one by an elliptic curve: their keys and tokens are alike but for that. */
let issuer: OidcIssuer;
let elliptic: OidcIssuer;
let tokens: IssuerTokens;
beforeAll(async () => {
  [issuer, elliptic] = [await startOidcIssuer(), await startOidcIssuer('ec')];
  tokens = newTokens();
});
afterAll(async () => {
  await issuer.stop();
  await elliptic.stop();
});

/** Of a function that knows no keys yet. */
function newTokens(): IssuerTokens {
  const now = () => NOW_MS;
  const table = new MemoryTable(now);
  return issuerTokens({
    allowlist: () => [issuer.place, elliptic.place],
    keySets: (url) => keySetStore(table, url),
    now,
    sleep: async () => {},
    onFailure: () => {},
  });
}

const verify = (token: string, by = issuer, secondsMax = HOUR_S): Promise<IssuedToken | undefined> =>
  tokens.verify(token, { issuer: by.url, secondsMax });
const verified = (claims: Claims): Promise<IssuedToken | undefined> =>
  verify(issuer.token({ ...CLAIMS, ...claims }));
const keyOf = ({ keys: [key] }: OidcIssuer): SigningKey => {
  if (key === undefined) throw new Error('The issuer has no key.');
  return key;
};

test('a token of an RSA key and one of an elliptic key are verified, and their claims read', async () => {
  for (const by of [issuer, elliptic]) {
    expect(await verify(by.token(CLAIMS), by)).toEqual({
      claims: { ...CLAIMS, iss: by.url },
      spentAs: expect.stringMatching(/^[0-9a-f]{64}$/),
      usableUntilMs: (NOW_S + 330) * 1_000,
    });
  }
  const untyped = issuer.token(CLAIMS, undefined, { typ: undefined });
  expect(await verify(untyped)).toBeDefined();
});

describe('no token is', () => {
  const elsewhere = { ...CLAIMS, iss: 'https://token.actions.githubusercontent.com' };
  const kid = () => keyOf(issuer).kid;
  const header = () => ({ alg: 'RS256', typ: 'JWT', kid: kid() });
  const unsigned = (more: Claims) =>
    `${base64url({ ...header(), ...more })}.${base64url({ iss: issuer.url, ...CLAIMS })}.`;
  function byPublicKey(alg: string): string {
    const signed = `${base64url({ ...header(), alg })}.${base64url({ iss: issuer.url, ...CLAIMS })}`;
    const secret = keyOf(issuer).publicKey.export({ type: 'spki', format: 'pem' });
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  }
  const withHeader = (more: Claims) => () => issuer.token(CLAIMS, undefined, more);

  const rows: readonly (readonly [title: string, token: () => string])[] = [
    ['one of another issuer', () => issuer.token(elsewhere)],
    [
      'one of the issuer’s name with more behind it',
      () => issuer.token({ ...CLAIMS, iss: `${issuer.url}/` }),
    ],
    ['one of several issuers', () => issuer.token({ ...CLAIMS, iss: [issuer.url] })],
    [
      'one that another key signed under the issuer’s key id',
      () => issuer.token(CLAIMS, { ...stranger, kid: kid() }),
    ],
    [
      'one that brings its key along',
      () => issuer.token(CLAIMS, { ...stranger, kid: kid() }, { jwk: jwkOf(stranger) }),
    ],
    [
      'one that names the address of its key',
      () => issuer.token(CLAIMS, stranger, { jku: `${issuer.url}/elsewhere` }),
    ],
    [
      'one whose key is at a certificate',
      () => issuer.token(CLAIMS, stranger, { x5u: `${issuer.url}/elsewhere` }),
    ],
    ['one without a key id', withHeader({ kid: undefined })],
    ['one whose key id is a number', withHeader({ kid: 7 })],
    ['one with a critical extension', withHeader({ crit: ['exp'] })],
    ['one with an empty list of critical extensions', withHeader({ crit: [] })],
    ['an access token', withHeader({ typ: 'at+jwt' })],
    ['a logout token', withHeader({ typ: 'logout+jwt' })],
    ['one of RS512', withHeader({ alg: 'RS512' })],
    ['one of PS256', withHeader({ alg: 'PS256' })],
    ['one of an RSA key under ES256', withHeader({ alg: 'ES256' })],
    [
      'one of an elliptic key under the id of an RSA key',
      () => issuer.token(CLAIMS, { ...keyOf(elliptic), kid: kid() }),
    ],
    ['one of no algorithm', () => unsigned({ alg: 'none' })],
    ['one of no algorithm under the name RS256', () => unsigned({ alg: 'RS256' })],
    ['one whose secret is the issuer’s public key', () => byPublicKey('HS256')],
    ['one whose secret is the issuer’s public key, under the name RS256', () => byPublicKey('RS256')],
    ['text', () => issuer.token('not JSON' as never)],
    ['a list', () => signedJwt(header(), [CLAIMS], keyOf(issuer))],
    ['null', () => signedJwt(header(), 'null', keyOf(issuer))],
    ['no JSON at all', () => signedJwt(header(), '{"aud":', keyOf(issuer))],
    ['no JSON, and not signed either', () => `${base64url(header())}.${base64url('{"aud":')}.AAAA`],
    ['one cut in two', () => issuer.token(CLAIMS).split('.').slice(0, 2).join('.')],
  ];
  test.each(rows)('%s', async (_, token) => {
    expect(await verify(token())).toBeUndefined();
  });

  test('one of an elliptic key under RS256', async () => {
    const token = elliptic.token(CLAIMS, undefined, { alg: 'RS256' });
    expect(await verify(token, elliptic)).toBeUndefined();
    const wide = elliptic.token(CLAIMS, undefined, { alg: 'ES384' });
    expect(await verify(wide, elliptic)).toBeUndefined();
  });
});

test('a key of one issuer verifies no token of another, though both keys have one id', async () => {
  const other = await startOidcIssuer();
  try {
    const { kid } = keyOf(issuer);
    const twin = { ...keyOf(other), kid };
    other.keys.splice(0, 1, twin);
    const both = issuerTokens({
      allowlist: () => [issuer.place, other.place],
      keySets: (url) => keySetStore(new MemoryTable(() => NOW_MS), url),
      now: () => NOW_MS,
      sleep: async () => {},
      onFailure: () => {},
    });
    const of = (url: string, key: SigningKey) => issuer.token({ ...CLAIMS, iss: url }, key);
    for (const [by, own, foreign] of [
      [issuer, keyOf(issuer), twin],
      [other, twin, keyOf(issuer)],
    ] as const) {
      const expected = { issuer: by.url, secondsMax: HOUR_S };
      expect(await both.verify(of(by.url, own), expected)).toBeDefined();
      expect(await both.verify(of(by.url, foreign), expected)).toBeUndefined();
    }
  } finally {
    await other.stop();
  }
});

describe('the address of a token', () => {
  const addressOf = (claims: Claims) => tokens.addressOf(issuer.token({ ...CLAIMS, ...claims }));

  test('is its issuer and the organisation of its audience, unverified and without a call', () => {
    const calls = issuer.called.length;
    const iss = 'https://strange.example.com';
    expect(tokens.addressOf(signedJwt({}, { iss, aud: `evalgate:${ORG}` }, stranger))).toEqual({
      issuer: iss,
      orgId: ORG,
    });
    expect(issuer.called).toHaveLength(calls);
  });

  test.each<readonly [string, unknown]>([
    ['the organisation alone', ORG],
    ['a list of it', [`evalgate:${ORG}`]],
    ['a list with others', ['https://github.com/octo-org', `evalgate:${ORG}`]],
    ["GitHub's default", 'https://github.com/octo-org'],
    ['another service', `sigstore:${ORG}`],
    ['another case', `EVALGATE:${ORG}`],
    ['a longer prefix', `not-evalgate:${ORG}`],
    ['more behind it', `evalgate:${ORG}/`],
    ['a line break behind it', `evalgate:${ORG}\n`],
    ['two organisations', `evalgate:${ORG},evalgate:${randomUUID()}`],
    ['no organisation', 'evalgate:'],
    ['nothing', ''],
    ['an object', { toString: `evalgate:${ORG}` }],
    ['not there', undefined],
  ])('has no organisation where the audience is %s: it is one text, evalgate:<organisation>', (_, aud) => {
    expect(addressOf({ aud })).toBeUndefined();
  });

  test('needs an issuer that is one text', () => {
    for (const iss of [undefined, null, 7, [issuer.url], { url: issuer.url }])
      expect(addressOf({ iss })).toBeUndefined();
  });

  test('is none where the payload is no JSON object, or the token longer than 8,192 characters', () => {
    const [header, , signature] = issuer.token(CLAIMS).split('.');
    for (const payload of ['', 'bm90IEpTT04', 'bnVsbA', 'W10', 'IiI', '%%%'])
      expect(tokens.addressOf(`${header}.${payload}.${signature}`)).toBeUndefined();
    for (const text of ['', '.', 'text']) expect(tokens.addressOf(text)).toBeUndefined();
    expect(addressOf({ padding: 'x'.repeat(6_000) })).toBeUndefined();
  });
});

describe('in time is', () => {
  const times = (iat: number, exp: number, nbf = iat - 600): Claims => ({
    iat: NOW_S + iat,
    exp: NOW_S + exp,
    nbf: NOW_S + nbf,
  });
  test.each<readonly [string, Claims]>([
    ['a token of this moment', times(0, 300)],
    ['one that ended 29 seconds ago', times(-329, -29)],
    ['one of 30 seconds ahead', times(30, 330, 30)],
    ['one of an hour', times(-3_000, 600)],
    ['one without a start', { nbf: undefined }],
  ])('%s', async (_, claims) => {
    expect(await verified(claims)).toBeDefined();
  });

  test.each<readonly [string, Claims]>([
    ['one that ended 30 seconds ago', times(-330, -30)],
    ['one of 31 seconds ahead', times(31, 331, 0)],
    ['one that is good in 31 seconds', times(0, 300, 31)],
    ['one that lives longer than the issuer’s tokens may', times(0, HOUR_S + 1)],
    ['one that lives for ever', { exp: 9_007_199_254_740_991 }],
    ['one that ended before it was made', times(20, 10)],
    ['one that does not end', { exp: undefined }],
    ['one without the time when it was made', { iat: undefined }],
    ['one whose end is a text', { exp: String(NOW_S + 300) }],
    ['one whose end is no number of seconds', { exp: 1e300 }],
    ['one made at a fraction of a second', { iat: NOW_S - 0.5 }],
  ])('not %s', async (_, claims) => {
    expect(await verified(claims)).toBeUndefined();
  });

  test('a token of a day where tokens of the issuer may live as long, and no longer one', async () => {
    const day = 24 * HOUR_S;
    const lasting = (seconds: number) => issuer.token({ ...CLAIMS, ...times(0, seconds) });
    expect(await verify(lasting(day), issuer, day)).toBeDefined();
    expect(await verify(lasting(day + 1), issuer, day)).toBeUndefined();
  });
});

describe('a token is spent as', () => {
  const spentAs = async (claims: Claims, by = issuer): Promise<string | undefined> =>
    (await verify(by.token({ ...CLAIMS, ...claims }), by))?.spentAs;

  test('its id, whatever else it states', async () => {
    const jti = randomUUID();
    const first = await spentAs({ jti });
    expect(await spentAs({ jti, exp: NOW_S + 200 })).toBe(first);
    expect(await spentAs({ jti: randomUUID() })).not.toBe(first);
  });

  test('its signed text where it has no id, so that another signature of it is no other token', async () => {
    const withoutId = { ...CLAIMS, jti: undefined };
    const [one, two] = [elliptic.token(withoutId), elliptic.token(withoutId)];
    expect(one).not.toBe(two);
    const first = (await verify(one, elliptic))?.spentAs;
    expect(first).toBeDefined();
    expect((await verify(two, elliptic))?.spentAs).toBe(first);
    expect(await spentAs({ jti: undefined, exp: NOW_S + 200 }, elliptic)).not.toBe(first);
  });

  test('what no other issuer’s token is spent as, though it has the same id', async () => {
    const jti = randomUUID();
    expect(await spentAs({ jti })).not.toBe(await spentAs({ jti }, elliptic));
  });

  test('nothing, and is none, where its id is empty or no text', async () => {
    for (const jti of ['', 7, null, ['x'], 'x'.repeat(1_025)])
      expect(await verified({ jti })).toBeUndefined();
  });
});

test('a token with any change is refused', async () => {
  const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
  for (const by of [issuer, elliptic]) {
    const token = by.token(CLAIMS);
    // The last character holds bits that belong to no byte.
    const position = fc.nat(token.length - 2).filter((at) => token[at] !== '.');
    await fc.assert(
      fc.asyncProperty(position, character, async (at, changed) => {
        fc.pre(token[at] !== changed);
        expect(await verify(token.slice(0, at) + changed + token.slice(at + 1), by)).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  }
});
