import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { issuerUnavailable } from '../../../shared/domain/issuers/unavailable.ts';
import { keySetStore } from '../../../shared/storage/accounts/keySets.ts';
import { fetchPublished } from '../../../shared/tokens/keySet.ts';
import { remoteKeys } from '../../../shared/tokens/remoteKeys.ts';
import { MemoryTable } from '../../support/memory/memoryTable.ts';
import {
  type JwksAnswer,
  json,
  jwkOf,
  type OidcIssuer,
  signingKey,
  startOidcIssuer,
  text,
} from '../../support/oidc.ts';

let issuer: OidcIssuer;
beforeAll(async () => {
  issuer = await startOidcIssuer();
});
afterAll(() => issuer.stop());

const [old, other, elliptic] = [signingKey(), signingKey(), signingKey('ec')];
const wide = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const UNAVAILABLE = { code: 'OIDC_ISSUER_UNAVAILABLE' };

let clock: number;
let failures: unknown[];
let fetchedBefore: number;
let table: MemoryTable;
let slept: (ms: number) => Promise<void>;
let keyOf: (kid: string) => Promise<KeyObject | undefined>;
let discovery: ReturnType<typeof remoteKeys>['discovery'];
const fetches = () => issuer.fetches() - fetchedBefore;
const later = (seconds: number) => {
  clock += seconds * 1_000;
};

beforeEach(() => {
  issuer.answers(undefined);
  issuer.introduces(undefined);
  issuer.keys.splice(0, issuer.keys.length, old);
  clock = Date.parse('2026-05-05T10:00:00.000Z');
  failures = [];
  fetchedBefore = issuer.fetches();
  table = new MemoryTable(() => clock);
  slept = () => new Promise((resolve) => setImmediate(resolve));
  ({ keyOf, discovery } = published());
});

/** Of a function with a memory of its own, before the same table. */
const published = (now = () => clock) =>
  remoteKeys({
    fetchPublished: () => fetchPublished(issuer.url, [issuer.place]),
    store: keySetStore(table, issuer.url),
    now,
    sleep: (ms) => slept(ms),
    onFailure: (error) => failures.push(error),
    unavailable: () => issuerUnavailable(issuer.url),
  });
const anotherFunction = (now = () => clock): typeof keyOf => published(now).keyOf;

test('a key is fetched once, however many ask for it at once', async () => {
  const keys = await Promise.all(Array.from({ length: 50 }, () => keyOf(old.kid)));
  for (const key of keys) expect(key?.equals(old.publicKey)).toBe(true);
  later(3_599);
  expect(await keyOf(old.kid)).toBeDefined();
  expect(fetches()).toBe(1);
});

test('a new key of the issuer is known at the first token that it signed', async () => {
  await keyOf(old.kid);
  issuer.keys.unshift(other);
  later(60);
  expect((await keyOf(other.kid))?.equals(other.publicKey)).toBe(true);
  expect((await keyOf(old.kid))?.equals(old.publicKey)).toBe(true);
  expect(fetches()).toBe(2);
});

test('a key that the issuer took back is good for an hour at most', async () => {
  await keyOf(old.kid);
  issuer.keys.splice(0, 1, other);
  later(3_599);
  expect(await keyOf(old.kid)).toBeDefined();
  later(1);
  expect(await keyOf(old.kid)).toBeUndefined();
});

const PADDING = 'x'.repeat(200_000);
const FAILURES: readonly (readonly [title: string, answer: JwksAnswer])[] = [
  ['does not answer', (response) => void response.destroy()],
  ['answers with a 500', text('{}', 500)],
  ['answers a good set with a 404', json({ keys: [jwkOf(old), jwkOf(other)] }, 404)],
  ['redirects to its keys', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['answers nothing', text('')],
  ['answers a page', text('<!doctype html><title>Sign in</title>')],
  ['answers half of a set', text(JSON.stringify({ keys: [jwkOf(old)] }).slice(0, 100))],
  ['answers an empty set', json({ keys: [] })],
  [
    'answers keys of another kind only',
    json({ keys: [{ ...wide.publicKey.export({ format: 'jwk' }), kid: 'wide' }] }),
  ],
  ['answers a key for another algorithm only', json({ keys: [jwkOf(old, { alg: 'RS512' })] })],
  ['answers more than a hundred keys', json({ keys: Array(101).fill(jwkOf(old)) })],
  ['answers keys for encryption only', json({ keys: [jwkOf(old, { use: 'enc' })] })],
  ['answers keys without ids', json({ keys: [jwkOf(old, { kid: undefined })] })],
  [
    'answers keys that are too short',
    json({ keys: [{ ...jwkOf(old), n: jwkOf(old).n?.toString().slice(0, 340) }] }),
  ],
  ['answers keys that are none', json({ keys: [{ kty: 'RSA', kid: 'x', n: '', e: '' }, null, 7, 'key'] })],
  ['answers too much', json({ keys: [jwkOf(old), jwkOf(other)], padding: PADDING })],
  [
    'answers without end',
    (response) => {
      response.writeHead(200).write('{"keys":[');
      const timer = setInterval(() => response.write(' '.repeat(10_000)), 1);
      response.once('close', () => clearInterval(timer));
    },
  ],
];

test.each(FAILURES)(
  'an issuer that %s changes no keys, and is called again a minute later',
  async (_, answer) => {
    issuer.answers(answer);
    await expect(keyOf(old.kid)).rejects.toMatchObject(UNAVAILABLE);
    later(59);
    await expect(keyOf(old.kid)).rejects.toMatchObject(UNAVAILABLE);
    expect({ fetches: fetches(), failures: failures.length }).toEqual({ fetches: 1, failures: 1 });

    issuer.answers(undefined);
    later(1);
    expect(await keyOf(old.kid)).toBeDefined();

    issuer.answers(answer);
    later(3_600);
    expect((await keyOf(old.kid))?.equals(old.publicKey)).toBe(true);
    await expect(keyOf(other.kid)).rejects.toMatchObject(UNAVAILABLE);
    expect({ fetches: fetches(), failures: failures.length }).toEqual({ fetches: 3, failures: 2 });
  },
);

test('an issuer that never ends its answer is given up', async () => {
  issuer.answers((response) => void response.writeHead(200).write('{"keys":['));
  await expect(keyOf(old.kid)).rejects.toMatchObject(UNAVAILABLE);
  expect(failures).toEqual([new Error(`Discovery or keys of ${issuer.url} cannot be read: timeout`)]);
});

test('a clock that is set back by a year locks no job out', async () => {
  clock += 365 * 86_400_000;
  await keyOf(old.kid);
  expect(await keyOf(randomUUID())).toBeUndefined();
  clock -= 365 * 86_400_000;
  expect((await keyOf(old.kid))?.equals(old.publicKey)).toBe(true);
});

test('one bad key among good ones spoils nothing', async () => {
  issuer.answers(
    json({
      keys: [{ kty: 'RSA', kid: 'bad', n: 5 }, jwkOf(elliptic), null, jwkOf(old), { kty: 'new kind' }],
    }),
  );
  expect(await keyOf('bad')).toBeUndefined();
  expect((await keyOf(elliptic.kid))?.equals(elliptic.publicKey)).toBe(true);
  expect((await keyOf(old.kid))?.equals(old.publicKey)).toBe(true);
  expect(failures).toEqual([]);
});

test('names of properties that every object has are no key ids', async () => {
  for (const kid of ['__proto__', 'constructor', 'toString', '']) expect(await keyOf(kid)).toBeUndefined();
});

describe('the discovery of an issuer', () => {
  const jwks_uri = () => `${issuer.url}/.well-known/jwks`;

  test('is fetched with the keys, once for all, and names the service’s endpoints only', async () => {
    const token_endpoint = 'https://login.example.com/token';
    issuer.introduces(
      json({ issuer: issuer.url, jwks_uri: jwks_uri(), token_endpoint, claims_supported: ['sub'] }),
    );
    expect(await discovery()).toEqual({ jwks_uri: jwks_uri(), token_endpoint });
    expect(await keyOf(old.kid)).toBeDefined();
    expect(await published().discovery()).toEqual({ jwks_uri: jwks_uri(), token_endpoint });
    expect(fetches()).toBe(1);
  });

  test('stays known for a day while the issuer does not answer', async () => {
    await discovery();
    issuer.introduces(text('', 500));
    later(24 * 3_600 - 1);
    expect(await discovery()).toMatchObject({ jwks_uri: jwks_uri() });
    later(1);
    await expect(discovery()).rejects.toMatchObject(UNAVAILABLE);
  });

  test.each<readonly [string, () => JwksAnswer]>([
    ['names another issuer', () => json({ issuer: `${issuer.url}/`, jwks_uri: jwks_uri() })],
    ['names several issuers', () => json({ issuer: [issuer.url], jwks_uri: jwks_uri() })],
    ['names no keys', () => json({ issuer: issuer.url })],
    ['redirects', () => (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['is a page', () => text('<!doctype html>')],
    ['is too large', () => json({ issuer: issuer.url, jwks_uri: jwks_uri(), padding: PADDING })],
    [
      'names keys at a private address',
      () => json({ issuer: issuer.url, jwks_uri: 'https://10.0.0.1/jwks' }),
    ],
    ['names keys by http', () => json({ issuer: issuer.url, jwks_uri: 'http://keys.example.com/jwks' })],
    ['names keys with a user', () => json({ issuer: issuer.url, jwks_uri: 'https://u:p@keys.example.com/' })],
    [
      'names a token endpoint at a private address',
      () => json({ issuer: issuer.url, jwks_uri: jwks_uri(), token_endpoint: 'https://169.254.169.254/t' }),
    ],
  ])(
    'is not accepted where it %s: no keys are fetched, and the log quotes nothing of it',
    async (_, answer) => {
      issuer.introduces(answer());
      await expect(discovery()).rejects.toMatchObject(UNAVAILABLE);
      await expect(keyOf(old.kid)).rejects.toMatchObject(UNAVAILABLE);
      expect(fetches()).toBe(0);
      expect(failures).toHaveLength(1);
      expect(String(failures[0])).not.toMatch(/10\.0|169\.254|example|doctype|padding/);
    },
  );
});

describe('of many functions', () => {
  const functions = (count: number) => Array.from({ length: count }, () => anotherFunction());

  test('one fetches the keys, and all others read them', async () => {
    await keyOf(old.kid);
    for (const other of functions(20)) expect((await other(old.kid))?.equals(old.publicKey)).toBe(true);
    later(3_599);
    expect(await anotherFunction()(old.kid)).toBeDefined();
    expect(fetches()).toBe(1);
  });

  test('those that start while one fetches wait for it', async () => {
    const held: (() => void)[] = [];
    issuer.answers((response) => void held.push(() => json({ keys: [jwkOf(old)] })(response)));
    const first = keyOf(old.kid);
    const others = functions(5);
    // The first of the waiting functions lets the issuer answer.
    slept = async () => {
      for (const answer of held.splice(0)) answer();
      await first;
    };
    await until(() => held.length > 0);
    const found = await Promise.all(others.map((other) => other(old.kid)));
    expect(found.map((key) => key?.equals(old.publicKey))).toEqual(Array(5).fill(true));
    expect(fetches()).toBe(1);
  });

  test('a flood of unknown key ids is one fetch a minute', async () => {
    const all = functions(10);
    for (const minute of [1, 2, 3]) {
      const keys = await Promise.all(all.flatMap((one) => [one(randomUUID()), one(randomUUID())]));
      expect(keys).toEqual(Array(20).fill(undefined));
      expect(fetches()).toBe(minute);
      later(60);
    }
  });

  test.each([429, 500, 503])(
    'those that start while the issuer answers %i use the keys that are known, for a day, and ask once a minute',
    async (status) => {
      await keyOf(old.kid);
      issuer.answers(text('', status));
      later(3_600);
      for (const one of functions(5)) {
        expect((await one(old.kid))?.equals(old.publicKey)).toBe(true);
        await expect(one(other.kid)).rejects.toMatchObject(UNAVAILABLE);
      }
      expect(fetches()).toBe(2);
      later(22 * 3_600 + 3_599);
      for (const one of [keyOf, anotherFunction()]) expect(await one(old.kid)).toBeDefined();
      later(1);
      for (const one of [keyOf, anotherFunction()])
        await expect(one(old.kid)).rejects.toMatchObject(UNAVAILABLE);
    },
  );

  test('a failed fetch is one for all: none other asks within the minute', async () => {
    issuer.answers(text('', 429));
    for (const one of functions(5)) await expect(one(old.kid)).rejects.toMatchObject(UNAVAILABLE);
    expect({ fetches: fetches(), failures: failures.length }).toEqual({ fetches: 1, failures: 1 });
    issuer.answers(undefined);
    later(60);
    for (const one of functions(5)) expect(await one(old.kid)).toBeDefined();
    expect(fetches()).toBe(2);
  });

  test('one that dies while it fetches keeps the others waiting for seconds, and from fetching for a minute', async () => {
    const dying = keySetStore(table, issuer.url);
    await dying.claim({ atMs: clock, triedBeforeMs: clock, aheadMs: clock });
    const startMs = clock;
    slept = async (ms) => later(ms / 1_000);
    await expect(keyOf(old.kid)).rejects.toMatchObject(UNAVAILABLE);
    expect(clock - startMs).toBeLessThanOrEqual(7_250);
    clock = startMs + 60_000;
    expect(await keyOf(old.kid)).toBeDefined();
    // It was frozen, and goes on: what it fetched replaces nothing newer.
    await dying.keep(startMs, { keys: [], discovery: { jwks_uri: 'https://old.example.com' } });
    await dying.fail(startMs);
    expect(await anotherFunction()(old.kid)).toBeDefined();
    expect(fetches()).toBe(1);
  });

  test('one whose clock is a year ahead neither keeps a withdrawn key alive nor the others from fetching', async () => {
    await anotherFunction(() => clock + 365 * 86_400_000)(old.kid);
    issuer.keys.splice(0, 1, other);
    expect(await keyOf(old.kid)).toBeUndefined();
    expect((await keyOf(other.kid))?.equals(other.publicKey)).toBe(true);
  });
});

/** The issuer's server has a turn of the event loop of its own. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
