import { createPublicKey, verify } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { publicJwk } from '../../../shared/vault/publicJwk.ts';
import { api } from '../../support/api.ts';
import { startKms } from '../../support/kms.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { decoded, type TokenKey, tokenKeys } from '../../support/tokenKeys.ts';
import { makeToken, newOrganisation, statusFor } from '../apiKeys/organisation.ts';
import { handlersOf } from './rotation.ts';

const { folder, keys } = tokenKeys(2);
const [newKey, oldKey] = keys as [TokenKey, TokenKey];
const services: OwnService[] = [];
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const service of services) await service.stop();
});

async function serviceWith(...files: readonly string[]): Promise<OwnService> {
  const service = await startOwnService({ TOKEN_KEY_FILES: files.join(',') });
  services.push(service);
  return service;
}

test('GET /.well-known/jwks.json answers with the public keys that tokens can be verified with, and nothing private', async () => {
  const service = await serviceWith(newKey.file, oldKey.file);
  const { status, headers, body } = await api(service.baseUrl)('GET', '/.well-known/jwks.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  const jwk = { kty: 'RSA', alg: 'RS256', use: 'sig', n: expect.any(String), e: 'AQAB' };
  expect(body).toEqual({ keys: [newKey, oldKey].map(({ kid }) => ({ ...jwk, kid })) });

  const token = await makeToken(service, (await newOrganisation(service)).first.key);
  const named = body.keys.find(({ kid }: { kid: string }) => kid === decoded(token, 0).kid);
  const [head, claims, signature = ''] = token.split('.');
  const key = createPublicKey({ key: named, format: 'jwk' });
  const bytes = Buffer.from(signature, 'base64url');
  expect(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, bytes)).toBe(true);
});

test('a key is rotated in three steps, and a token ends no sooner than its key is removed', async () => {
  const service = await serviceWith(oldKey.file);
  const { first } = await newOrganisation(service);
  const ofOld = await makeToken(service, first.key);
  expect(decoded(ofOld, 0).kid).toBe(oldKey.kid);

  const rotating = handlersOf(service, { kind: 'local', files: [newKey.file, oldKey.file] });
  const ofNew = await rotating.makeToken(first.key);
  expect(decoded(ofNew, 0).kid).toBe(newKey.kid);
  expect(await Promise.all([ofOld, ofNew].map(rotating.statusFor))).toEqual([200, 200]);

  const rotated = handlersOf(service, { kind: 'local', files: [newKey.file] });
  expect(await Promise.all([ofOld, ofNew].map(rotated.statusFor))).toEqual([401, 200]);
  expect(await statusFor(service, ofNew)).toBe(401);
});

test('keys may lie in KMS, where the same holds', async () => {
  const service = await serviceWith(newKey.file);
  const { first } = await newOrganisation(service);
  const kms = await startKms();
  const kids = ['alias/new', 'alias/old'].map((id) => publicJwk(kms.addKeyPair(id)).kid);
  const inKms = (...keyIds: string[]) => handlersOf(service, { kind: 'kms', keyIds, endpoint: kms.endpoint });
  const ofOld = await inKms('alias/old').makeToken(first.key);
  const rotating = inKms('alias/new', 'alias/old');
  const ofNew = await rotating.makeToken(first.key);
  expect([ofNew, ofOld].map((token) => decoded(token, 0).kid)).toEqual(kids);
  expect(await Promise.all([ofOld, ofNew].map(rotating.statusFor))).toEqual([200, 200]);
  expect(await Promise.all([ofOld, ofNew].map(inKms('alias/new').statusFor))).toEqual([401, 200]);
  await kms.stop();
});

test('keys that can’t be read are our fault, as long as they can’t', async () => {
  const service = await serviceWith(`${newKey.file}.later`);
  const { first } = await newOrganisation(service);
  const ask = () =>
    Promise.all([
      api(service.baseUrl)('GET', '/.well-known/jwks.json'),
      api(service.baseUrl, first.key)('POST', '/v1/auth/token'),
    ]);
  expect((await ask()).map(({ status }) => status)).toEqual([500, 500]);
  writeFileSync(`${newKey.file}.later`, newKey.pem);
  expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
});
