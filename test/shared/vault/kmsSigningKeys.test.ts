import { type KeyObject, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { kmsSigningKeys } from '../../../shared/vault/kmsSigningKeys.ts';
import { publicJwk, TOKEN_KEYS } from '../../../shared/vault/publicJwk.ts';
import { type KmsStandIn, startKms } from '../../support/kms.ts';

const NEW = 'arn:aws:kms:eu-west-1:111122223333:key/new';
const OLD = 'arn:aws:kms:eu-west-1:111122223333:key/old';

let kms: KmsStandIn;
let [newKey, oldKey]: KeyObject[] = [];
beforeAll(async () => {
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  kms = await startKms();
  [newKey, oldKey] = [kms.addKeyPair(NEW), kms.addKeyPair(OLD)];
});
beforeEach(() => void kms.calls.splice(0));
afterAll(() => kms.stop());

const keys = (...keyIds: string[]) => kmsSigningKeys({ keyIds, endpoint: kms.endpoint }, TOKEN_KEYS);

test('the public keys are those of KMS, in the order given, and are requested once', async () => {
  const both = keys(NEW, OLD);
  const jwks = [publicJwk(newKey as KeyObject), publicJwk(oldKey as KeyObject)];
  expect(await Promise.all([both.publicKeys(), both.publicKeys()])).toEqual([jwks, jwks]);
  expect(await both.publicKeys()).toEqual(jwks);
  const wire = {
    authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 .*\/eu-west-1\/kms\/aws4_request/),
    contentType: 'application/x-amz-json-1.1',
    context: {},
  };
  const calls = kms.calls.toSorted((a, b) => String(a.keyId).localeCompare(String(b.keyId)));
  expect(calls).toEqual([
    { operation: 'GetPublicKey', keyId: NEW, ...wire },
    { operation: 'GetPublicKey', keyId: OLD, ...wire },
  ]);
});

test.each([1, 4_096, 5_000])('the first key signs a message of %d bytes', async (bytes) => {
  const message = Buffer.alloc(bytes, 'm');
  const signature = await keys(NEW, OLD).sign(message);
  expect(verify('RSA-SHA256', message, newKey as KeyObject, signature)).toBe(true);
  expect(verify('RSA-SHA256', message, oldKey as KeyObject, signature)).toBe(false);
  expect(kms.calls.map(({ operation, keyId }) => [operation, keyId])).toEqual([['Sign', NEW]]);
});

test('public keys that could not be had are requested again', async () => {
  const refusal = { status: 400, type: 'AccessDeniedException', message: '' };
  kms.failures.push(refusal);
  const one = keys(NEW);
  await expect(one.publicKeys()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  expect(await one.publicKeys()).toEqual([publicJwk(newKey as KeyObject)]);
});

test('a KMS that fails once is called again, and one that refuses to sign is an error', async () => {
  kms.failures.push({ status: 500, type: 'KMSInternalException', message: '' });
  expect(await keys(NEW).sign(Buffer.from('m'))).toHaveLength(256);
  expect(kms.calls).toHaveLength(2);
  kms.failures.push({ status: 400, type: 'DisabledException', message: '' });
  await expect(keys(NEW).sign(Buffer.from('m'))).rejects.toMatchObject({ name: 'DisabledException' });
});
