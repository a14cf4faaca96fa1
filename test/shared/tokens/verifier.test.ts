import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SigningKeys, TokenClaims } from '../../../shared/domain/accounts/ports.ts';
import { tokenIssuer } from '../../../shared/tokens/issuer.ts';
import { tokenVerifier } from '../../../shared/tokens/verifier.ts';
import { localSigningKeys } from '../../../shared/vault/localSigningKeys.ts';
import { TOKEN_KEYS } from '../../../shared/vault/publicJwk.ts';
import { sized } from '../../support/soak.ts';
import { base64url, decoded, signedToken, type TokenKey, tokenKeys } from '../../support/tokenKeys.ts';

const { folder, keys } = tokenKeys(2);
const [newKey, oldKey] = keys as [TokenKey, TokenKey];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ISSUER = 'https://api.example.test';
const NOW_MS = Date.parse('2026-05-05T10:00:00.750Z');
const NOW_S = Math.floor(NOW_MS / 1_000);

const CLAIMS: TokenClaims = {
  orgId: randomUUID(),
  projectId: randomUUID(),
  scope: 'run',
  credential: { type: 'token', key_id: randomUUID() },
};
/** Of a token that was made for ten minutes. */
const VERIFIED = { ...CLAIMS, expiresAt: new Date(NOW_S * 1_000 + 600_000).toISOString() };

const issuerOf = (signing: SigningKeys, now = () => NOW_MS) =>
  tokenIssuer(async () => signing, { issuer: ISSUER, now, newId: randomUUID });
const verifierOf = (verifying: SigningKeys, nowMs = NOW_MS, issuer = ISSUER) =>
  tokenVerifier(verifying, { issuer, now: () => nowMs });

const both = localSigningKeys([newKey.pem, oldKey.pem], TOKEN_KEYS);
const { token, expires_at } = await issuerOf(both).issue(CLAIMS, 600);

test('a token is verified to the claims it was made of, until it expires', async () => {
  expect(await verifierOf(both).verify(token)).toEqual(VERIFIED);
  expect(expires_at).toBe('2026-05-05T10:10:00.000Z');
  const end = Date.parse(expires_at);
  expect(await verifierOf(both, end - 1).verify(token)).toEqual(VERIFIED);
  expect(await verifierOf(both, end).verify(token)).toBeUndefined();
});

test('a token holds the organisation, its rights and its expiry, names its key, and holds no secret', () => {
  expect(decoded(token, 0)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: newKey.kid });
  expect(decoded(token, 1)).toEqual({
    iss: ISSUER,
    aud: 'urn:evalgate:api',
    sub: CLAIMS.orgId,
    project_id: CLAIMS.projectId,
    scope: 'run',
    credential: CLAIMS.credential,
    iat: NOW_S,
    exp: NOW_S + 600,
    jti: expect.any(String),
  });
});

test('a token of a job with the longest names is still one', async () => {
  const long = (length: number) => 'n'.repeat(length);
  const credential = {
    type: 'github_actions',
    registration_id: randomUUID(),
    repository: long(140),
    repository_id: long(20),
    repository_owner_id: long(20),
    actor: long(255),
    event_name: long(100),
    ref: long(1_024),
    head_ref: long(1_024),
    sha: long(64),
    workflow: long(1_024),
    job_workflow_ref: long(1_024),
    run_id: long(20),
    run_attempt: long(20),
  } as const;
  const made = await issuerOf(both).issue({ ...CLAIMS, credential }, 900);
  expect(await verifierOf(both).verify(made.token)).toEqual({
    ...CLAIMS,
    credential,
    expiresAt: made.expires_at,
  });
});

test('a clock that is behind the issuer’s by half a minute takes its tokens, one further behind does not', async () => {
  const iatMs = NOW_S * 1_000;
  expect(await verifierOf(both, iatMs - 30_000).verify(token)).toEqual(VERIFIED);
  expect(await verifierOf(both, iatMs - 30_001).verify(token)).toBeUndefined();
});

test('while a key is rotated the tokens of both are good, and those of one that was removed are not', async () => {
  const old = localSigningKeys([oldKey.pem], TOKEN_KEYS);
  const ofOld = (await issuerOf(old).issue(CLAIMS, 600)).token;
  expect(await verifierOf(both).verify(ofOld)).toEqual(VERIFIED);
  expect(await verifierOf(localSigningKeys([newKey.pem], TOKEN_KEYS)).verify(ofOld)).toBeUndefined();
  expect(await verifierOf(old).verify(token)).toBeUndefined();
});

test('a token of another deployment is refused, even with the same keys', async () => {
  expect(await verifierOf(both, NOW_MS, 'https://staging.example.test').verify(token)).toBeUndefined();
});

test('keys that could not be read are read again by the next token', async () => {
  let failing = true;
  const failure = new Error('KMS is away');
  const flaky: SigningKeys = {
    ...both,
    publicKeys: () => (failing ? Promise.reject(failure) : both.publicKeys()),
  };
  const [verifier, issuer] = [
    verifierOf(flaky),
    tokenIssuer(() => (failing ? Promise.reject(failure) : Promise.resolve(both)), {
      issuer: ISSUER,
      now: () => NOW_MS,
      newId: randomUUID,
    }),
  ];
  await expect(verifier.verify(token)).rejects.toBe(failure);
  await expect(issuer.issue(CLAIMS, 600)).rejects.toBe(failure);
  failing = false;
  expect(await verifier.verify(token)).toEqual(VERIFIED);
  expect((await issuer.issue(CLAIMS, 600)).expires_at).toBe(expires_at);
});

test('no token is good with any one character changed, left out or added', async () => {
  const verifier = verifierOf(both);
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=';
  const edit = fc.record({
    at: fc.oneof(fc.nat(token.length - 1), fc.constant(token.length - 1)),
    kind: fc.constantFrom('change', 'remove', 'insert'),
    character: fc.constantFrom(...characters),
  });
  const apply = ({ at, kind, character }: { at: number; kind: string; character: string }): string => {
    const inserted = kind === 'remove' ? '' : character;
    return token.slice(0, at) + inserted + token.slice(kind === 'insert' ? at : at + 1);
  };
  await fc.assert(
    fc.asyncProperty(edit, async (wanted) => {
      const edited = apply(wanted);
      fc.pre(edited !== token);
      expect(await verifier.verify(edited)).toBeUndefined();
    }),
    { numRuns: sized(400, 2_000) },
  );
  // The last character holds bits that no byte needs.
  for (const character of characters) {
    const edited = token.slice(0, -1) + character;
    if (edited !== token) expect(await verifier.verify(edited)).toBeUndefined();
  }
});

test('of all headers and payloads, rightly signed, only those of our own shape and times are good', async () => {
  const verifier = verifierOf(both);
  const [header, payload] = [decoded(token, 0), decoded(token, 1)];
  const part = (good: Record<string, unknown>) =>
    fc.oneof(
      fc.jsonValue(),
      fc.string(),
      fc
        .record({ name: fc.constantFrom(...Object.keys(good), 'nbf'), value: fc.jsonValue() })
        .map(({ name, value }) => ({ ...good, [name]: value })),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.constant(header), part(header)), part(payload), async (head, body) => {
      const made = signedToken(newKey, head, body);
      const claims = await verifier.verify(made);
      if (claims === undefined) return;
      expect(head).toEqual(header);
      const { iat, exp, ...said } = body as unknown as { iat: number; exp: number } & Record<string, unknown>;
      const { sub, scope, project_id, credential } = said;
      const expiresAt = new Date(exp * 1_000).toISOString();
      expect(claims).toEqual({ orgId: sub, scope, projectId: project_id, credential, expiresAt });
      expect([NOW_S < exp, exp - iat <= 3_600, iat <= NOW_S + 30]).toEqual([true, true, true]);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['lives longer than an hour', { exp: NOW_S + 3_601 }],
  ['was made 31 seconds ahead', { iat: NOW_S + 31 }],
  ['ended before it was made', { iat: NOW_S + 20, exp: NOW_S + 10 }],
  ['has ended', { iat: NOW_S - 600, exp: NOW_S }],
])('a token that %s is refused, though it is rightly signed', async (_, times) => {
  const [header, payload] = [decoded(token, 0), decoded(token, 1)];
  const signed = (more: object) => signedToken(newKey, header, { ...payload, ...more });
  expect(await verifierOf(both).verify(signed({}))).toEqual(VERIFIED);
  expect(await verifierOf(both).verify(signed(times))).toBeUndefined();
});

test('text that is no token is refused without another error', async () => {
  const verifier = verifierOf(both);
  const any = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.tuple(fc.string(), fc.string(), fc.string()).map((parts) => parts.map(base64url).join('.')),
  );
  await fc.assert(fc.asyncProperty(any, async (text) => expect(await verifier.verify(text)).toBeUndefined()));
});
