import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Vault } from '../../../shared/domain/byok/ports.ts';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import { kmsVault } from '../../../shared/vault/kmsVault.ts';
import { type KmsStandIn, startKms } from '../../support/kms.ts';
import { CONTEXT, OTHER_CONTEXTS } from './contexts.ts';

const KEY = 'sk-live-0123456789abcdefghijklmnop';
const KMS_KEY = 'arn:aws:kms:eu-west-1:111122223333:key/byok';
const OTHER_KMS_KEY = 'arn:aws:kms:eu-west-1:111122223333:key/other';

let kms: KmsStandIn;
let vault: Vault;
beforeAll(async () => {
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  kms = await startKms(KMS_KEY, OTHER_KMS_KEY);
  vault = kmsVault({ keyId: KMS_KEY, endpoint: kms.endpoint });
});
beforeEach(() => void kms.calls.splice(0));
afterAll(() => kms.stop());

const failure = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  );

test('a key of the longest length goes through KMS and comes back', async () => {
  const longest = 'k'.repeat(2_048);
  const ciphertext = await vault.encrypt(new Secret(longest), CONTEXT);
  expect(ciphertext).toMatch(/^kms\.v1\.[\w-]+$/);
  expect((await vault.decrypt(ciphertext, CONTEXT)).reveal()).toBe(longest);
});

test('both calls name the KMS key and carry the encryption context, signed, in KMS’s own format', async () => {
  await vault.decrypt(await vault.encrypt(new Secret(KEY), CONTEXT), CONTEXT);
  const wire = {
    keyId: KMS_KEY,
    context: { org: CONTEXT.org, provider: CONTEXT.provider, keyId: CONTEXT.keyId },
    authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 .*\/eu-west-1\/kms\/aws4_request/),
    contentType: 'application/x-amz-json-1.1',
  };
  expect(kms.calls).toEqual([
    { operation: 'Encrypt', ...wire },
    { operation: 'Decrypt', ...wire },
  ]);
});

test.each(OTHER_CONTEXTS)('a ciphertext moved to %s does not open', async (_what, context) => {
  const ciphertext = await vault.encrypt(new Secret(KEY), CONTEXT);
  expect(await failure(vault.decrypt(ciphertext, context))).toMatchObject({
    name: 'VaultError',
    message: expect.stringMatching(/moved from another organisation, project, provider or key/),
    retryable: false,
  });
});

test('a ciphertext made under another KMS key does not open', async () => {
  const other = kmsVault({ keyId: OTHER_KMS_KEY, endpoint: kms.endpoint });
  const ciphertext = await other.encrypt(new Secret(KEY), CONTEXT);
  expect(await failure(vault.decrypt(ciphertext, CONTEXT))).toMatchObject({
    name: 'VaultError',
    message: expect.stringMatching(/^KMS did not decrypt a BYOK key \(IncorrectKeyException, request \S+\)$/),
    retryable: false,
  });
});

test('a ciphertext of the local vault never reaches KMS', async () => {
  expect(await failure(vault.decrypt('local.v1.AAAA', CONTEXT))).toMatchObject({
    message: expect.stringMatching(/encrypted by the local vault/),
  });
  expect(kms.calls).toEqual([]);
});

test.each([
  [400, 'AccessDeniedException', false],
  [400, 'DisabledException', false],
  [400, 'NotFoundException', false],
  [400, 'ThrottlingException', true],
  [500, 'KMSInternalException', true],
])('%d %s is an error with retryable %s, without the words of KMS', async (status, type, retryable) => {
  const answer = { status, type, message: `could not handle ${KEY}` };
  // As often as the client tries.
  kms.failures.push(answer, answer, answer, answer);
  const error = await failure(vault.encrypt(new Secret(KEY), CONTEXT));
  kms.failures.splice(0);
  expect(error).toMatchObject({ name: 'VaultError', retryable });
  expect(String((error as Error).stack)).not.toContain(KEY);
  expect(error).not.toHaveProperty('cause');
});

test('a KMS that is not there is an error to try again', async () => {
  const gone = await startKms(KMS_KEY);
  await gone.stop();
  const call = kmsVault({ keyId: KMS_KEY, endpoint: gone.endpoint }).encrypt(new Secret(KEY), CONTEXT);
  expect(await failure(call)).toMatchObject({ name: 'VaultError', retryable: true });
});
