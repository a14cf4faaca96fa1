import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from '../../../shared/runtime/config.ts';
import { localSigningKeys } from '../../../shared/vault/localSigningKeys.ts';
import { publicJwk, TOKEN_KEYS } from '../../../shared/vault/publicJwk.ts';
import { tokenKeysFromConfig } from '../../../shared/vault/tokenKeys.ts';
import { startKms } from '../../support/kms.ts';
import { type TokenKey, tokenKeys } from '../../support/tokenKeys.ts';

const { folder, keys } = tokenKeys(2);
const [first, second] = keys as [TokenKey, TokenKey];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const configOf = (env: Record<string, string>) => readConfig({ TABLE_NAME: 'table', ...env }).tokenKeys;

test('the first key signs; only the public parts of all keys are published', async () => {
  const both = localSigningKeys([first.pem, second.pem], TOKEN_KEYS);
  const message = Buffer.from('message');
  expect(verify('RSA-SHA256', message, first.publicKey, await both.sign(message))).toBe(true);
  const jwks = await both.publicKeys();
  expect(jwks.map(({ kid }) => kid)).toEqual([first.kid, second.kid]);
  for (const jwk of jwks) expect(Object.keys(jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('the name of a key is its thumbprint of RFC 7638', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  const key = createPublicKey({ key: { kty: 'RSA', e: 'AQAB', n }, format: 'jwk' });
  expect(publicJwk(key).kid).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
});

test.each([
  ['too short', () => generateKeyPairSync('rsa', { modulusLength: 1_024 })],
  ['of elliptic curves', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['of another RSA scheme', () => generateKeyPairSync('rsa-pss', { modulusLength: 2_048 })],
])('a key that is %s is refused', (_, make) => {
  const pem = make().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(() => localSigningKeys([pem], TOKEN_KEYS)).toThrow('RSA keys of at least 2048 bits');
});

test('no key, a public key, and a file without a key are refused', () => {
  expect(() => localSigningKeys([], TOKEN_KEYS)).toThrow('without a key');
  const publicPem = first.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  for (const pem of [publicPem, 'no key']) expect(() => localSigningKeys([pem], TOKEN_KEYS)).toThrow();
});

test('TOKEN_KEY_FILES names PEM files, blanks around them or not', async () => {
  const config = configOf({ TOKEN_KEY_FILES: ` ${first.file} ,${second.file}` });
  const jwks = await (await tokenKeysFromConfig(config)).publicKeys();
  expect(jwks.map(({ kid }) => kid)).toEqual([first.kid, second.kid]);
  const gone = configOf({ TOKEN_KEY_FILES: `${first.file}.gone` });
  await expect(tokenKeysFromConfig(gone)).rejects.toThrow('ENOENT');
});

test('TOKEN_KMS_KEY_IDS means keys of KMS, whatever else is set', async () => {
  const kms = await startKms();
  kms.addKeyPair('alias/tokens');
  Object.assign(process.env, { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  const env = {
    TOKEN_KMS_KEY_IDS: 'alias/tokens',
    KMS_ENDPOINT: kms.endpoint,
    TOKEN_KEY_FILES: first.file,
  };
  expect(await (await tokenKeysFromConfig(configOf(env))).publicKeys()).toHaveLength(1);
  await kms.stop();
});

test('without either there is nothing to sign by', async () => {
  await expect(tokenKeysFromConfig(configOf({}))).rejects.toThrow('set TOKEN_KMS_KEY_IDS or TOKEN_KEY_FILES');
});
