import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { publicJwk } from '../../../shared/vault/publicJwk.ts';
import { base64url, decoded, signedToken, type TokenKey } from '../../support/tokenKeys.ts';

type Forge = (good: string, key: TokenKey, nowSeconds: number) => string;

const header = (good: string) => decoded(good, 0);
const payload = (good: string) => decoded(good, 1);
const parts = (token: string) => token.split('.') as [string, string, string];

const withHeader =
  (fields: object): Forge =>
  (good, key) =>
    signedToken(key, { ...header(good), ...fields }, payload(good));
const withClaims =
  (fields: object | ((nowSeconds: number) => object)): Forge =>
  (good, key, nowSeconds) =>
    signedToken(key, header(good), {
      ...payload(good),
      ...(typeof fields === 'function' ? fields(nowSeconds) : fields),
    });
const without =
  (claim: string): Forge =>
  (good, key) => {
    const { [claim]: _, ...others } = payload(good);
    return signedToken(key, header(good), others);
  };

const unsigned =
  (alg: string, signature: string): Forge =>
  (good) =>
    `${base64url({ ...header(good), alg })}.${parts(good)[1]}.${signature}`;

/** The public key is no secret: a verifier that used it as one would accept everybody's tokens. */
const hmac =
  (alg: string, secretOf: (publicKey: KeyObject) => string | Buffer): Forge =>
  (good, { publicKey }) => {
    const signed = `${base64url({ ...header(good), alg })}.${parts(good)[1]}`;
    const hash = alg.replace('HS', 'sha');
    return `${signed}.${createHmac(hash, secretOf(publicKey)).update(signed).digest('base64url')}`;
  };
const spki = (publicKey: KeyObject): string => publicKey.export({ type: 'spki', format: 'pem' }).toString();

const signedWith =
  (alg: string, hash: string, padding?: number): Forge =>
  (good, { privateKey }) => {
    const signed = `${base64url({ ...header(good), alg })}.${parts(good)[1]}`;
    return `${signed}.${sign(hash, Buffer.from(signed), { key: privateKey, padding }).toString('base64url')}`;
  };

const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const byStranger =
  (fields: (theirs: KeyObject) => object): Forge =>
  (good, key) =>
    signedToken(
      { ...key, privateKey: stranger.privateKey },
      { ...header(good), ...fields(stranger.publicKey) },
      payload(good),
    );

const PSS = 6;
const HOUR = 3_600;

/** What is no token of ours, each made from one that is, with the very key that tokens are signed by if need be. */
export const FORGERIES: readonly (readonly [title: string, forge: Forge])[] = [
  ['no algorithm, no signature', unsigned('none', '')],
  ['no algorithm, in other letters', unsigned('nOnE', 'AAAA')],
  [
    'no algorithm, with the good signature',
    (good) => unsigned('none', parts(good)[2])(good, {} as TokenKey, 0),
  ],
  ['no signature', unsigned('RS256', '')],
  ['HMAC by the public key in PEM form', hmac('HS256', spki)],
  [
    'HMAC by the public key in PKCS #1 form',
    hmac('HS256', (key) => key.export({ type: 'pkcs1', format: 'pem' })),
  ],
  ['HMAC by the public key as bytes', hmac('HS512', (key) => key.export({ type: 'spki', format: 'der' }))],
  ['HMAC by the public JWK', hmac('HS256', (key) => JSON.stringify(publicJwk(key)))],
  ['HMAC by the modulus', hmac('HS384', (key) => publicJwk(key).n)],
  ['HMAC by nothing', hmac('HS256', () => '')],
  ['the right key under RS384', signedWith('RS384', 'RSA-SHA384')],
  ['the right key under RS512', signedWith('RS512', 'RSA-SHA512')],
  ['the right key under PS256', signedWith('PS256', 'RSA-SHA256', PSS)],
  ['RS256 said, PSS signed', signedWith('RS256', 'RSA-SHA256', PSS)],
  [
    'another payload under the good signature',
    (good) => {
      const [head, , signature] = parts(good);
      return `${head}.${base64url({ ...payload(good), scope: 'full', project_id: null, more: 1 })}.${signature}`;
    },
  ],
  [
    'a signature with one bit changed',
    (good) => {
      const bytes = Buffer.from(parts(good)[2], 'base64url');
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      return `${parts(good).slice(0, 2).join('.')}.${bytes.toString('base64url')}`;
    },
  ],
  [
    'the signature of another token',
    (good, key) => {
      const [, , signature] = parts(withClaims({ jti: 'x' })(good, key, 0));
      return `${parts(good).slice(0, 2).join('.')}.${signature}`;
    },
  ],
  ['a signature cut short', (good) => good.slice(0, -4)],
  ['a fourth part', (good) => `${good}.AAAA`],
  ['padding', (good) => `${good}==`],
  ['another alphabet', (good) => good.replaceAll('-', '+').replaceAll('_', '/')],
  ['a stranger’s key under our name', byStranger(() => ({}))],
  ['a stranger’s key under its own name', byStranger((theirs) => ({ kid: publicJwk(theirs).kid }))],
  ['a key of its own in the header', byStranger((theirs) => ({ jwk: publicJwk(theirs) }))],
  ['an address of keys in the header', byStranger(() => ({ jku: 'https://evil.example/jwks.json' }))],
  ['an unknown kid', withHeader({ kid: 'nobody' })],
  ['no kid', withHeader({ kid: undefined })],
  ['a kid that is no text', withHeader({ kid: 0 })],
  ['a list of kids', (good, key) => signedToken(key, { ...header(good), kid: [key.kid] }, payload(good))],
  ['a kid that names a member of objects', withHeader({ kid: '__proto__' })],
  ['a path for a kid', withHeader({ kid: '../../dev/null' })],
  ['a critical extension', withHeader({ crit: ['exp'] })],
  ['an empty list of critical extensions', withHeader({ crit: [] })],
  ['jku', withHeader({ jku: 'https://api.example.test/.well-known/jwks.json' })],
  ['jwk', (good, key) => withHeader({ jwk: publicJwk(key.publicKey) })(good, key, 0)],
  ['x5u', withHeader({ x5u: 'https://evil.example/cert.pem' })],
  ['x5c', withHeader({ x5c: [] })],
  ['cty', withHeader({ cty: 'JWT' })],
  ['an unencoded payload', withHeader({ b64: false })],
  ['another typ', withHeader({ typ: 'JWT' })],
  ['no typ', withHeader({ typ: undefined })],
  ['typ in other letters', withHeader({ typ: 'AT+JWT' })],
  ['alg in other letters', withHeader({ alg: 'rs256' })],
  ['a list of algorithms', withHeader({ alg: ['RS256'] })],
  ['a header that is a text', (good, key) => signedToken(key, 'RS256', payload(good))],
  ['a header that is null', (good, key) => signedToken(key, null, payload(good))],
  ['a header that is a list', (good, key) => signedToken(key, [header(good)], payload(good))],
  ['a payload that is a text', (good, key) => signedToken(key, header(good), 'sub')],
  ['a payload that is JSON text', (good, key) => signedToken(key, header(good), '"sub"')],
  ['a payload that is null', (good, key) => signedToken(key, header(good), null)],
  ['a payload that is a list', (good, key) => signedToken(key, header(good), [payload(good)])],
  ['a payload that is a number', (good, key) => signedToken(key, header(good), 1)],
  ['an empty payload', (good, key) => signedToken(key, header(good), {})],
  ['no exp', without('exp')],
  ['exp that is a text', withClaims((now) => ({ exp: String(now + HOUR) }))],
  ['exp with a fraction', withClaims((now) => ({ exp: now + 60.5 }))],
  ['exp in milliseconds', withClaims((now) => ({ exp: (now + HOUR) * 1_000 }))],
  [
    'exp beyond all numbers',
    (good, key) =>
      signedToken(key, header(good), JSON.stringify(payload(good)).replace(/"exp":\d+/, '"exp":1e999')),
  ],
  ['exp far away', withClaims((now) => ({ exp: now + 10 * 365 * 24 * HOUR }))],
  ['a second more than an hour to live', withClaims((now) => ({ iat: now, exp: now + HOUR + 1 }))],
  ['expired this very second', withClaims((now) => ({ iat: now - HOUR, exp: now }))],
  ['negative exp', withClaims({ exp: -1 })],
  ['exp before iat', withClaims((now) => ({ iat: now + 20, exp: now + 10 }))],
  ['no iat', without('iat')],
  ['iat in the future', withClaims((now) => ({ iat: now + 31, exp: now + 600 }))],
  ['iat that is a text', withClaims((now) => ({ iat: String(now) }))],
  ['nbf in the future', withClaims((now) => ({ nbf: now + 60 }))],
  ['nbf that is a text', withClaims({ nbf: 'now' })],
  ['another audience', withClaims({ aud: 'urn:evalgate:other' })],
  ['no audience', without('aud')],
  ['a list of audiences, ours among them', withClaims({ aud: ['urn:evalgate:api', 'urn:other'] })],
  ['a list of our audience alone', withClaims({ aud: ['urn:evalgate:api'] })],
  ['another issuer', withClaims({ iss: 'https://staging.example.test' })],
  ['an issuer with a slash behind', withClaims({ iss: 'https://api.example.test/' })],
  ['a list of issuers', withClaims({ iss: ['https://api.example.test'] })],
  ['no issuer', without('iss')],
  ['no sub', without('sub')],
  ['a sub that is no id', withClaims({ sub: 'ORG#1' })],
  ['another organisation’s id', withClaims({ sub: '7d444840-9dc0-41d1-b245-5ffdce74fad2' })],
  ['another scope', withClaims({ scope: 'admin' })],
  ['no scope', without('scope')],
  ['no project, not even none', without('project_id')],
  ['no jti', without('jti')],
  ['no credential', without('credential')],
  [
    'a credential of another kind',
    withClaims({ credential: { type: 'api_key', key_id: '7d444840-9dc0-41d1-b245-5ffdce74fad2' } }),
  ],
  [
    'a key that is not there',
    withClaims({ credential: { type: 'token', key_id: '7d444840-9dc0-41d1-b245-5ffdce74fad2' } }),
  ],
  ['a key that names another kind of item', withClaims({ credential: { type: 'token', key_id: '../ORG' } })],
  [
    'a job that nobody trusts',
    withClaims({
      credential: {
        type: 'github_actions',
        registration_id: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
        repository: 'a/b',
        actor: 'a',
        ref: 'r',
        workflow: 'w',
        run_id: '1',
      },
    }),
  ],
  ['more than a token may have', withClaims({ filler: 'x'.repeat(8_192) })],
];
