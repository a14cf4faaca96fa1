import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { VaultError } from '../../../shared/domain/byok/ports.ts';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import { localVault } from '../../../shared/vault/localVault.ts';
import { CONTEXT, OTHER_CONTEXTS } from './contexts.ts';

const KEY = 'sk-live-0123456789abcdefghijklmnop';
const vault = localVault(randomBytes(32));

const refused = async (ciphertext: string, context = CONTEXT): Promise<unknown> =>
  vault.decrypt(ciphertext, context).then(
    () => 'opened',
    (error: unknown) => error,
  );

test('any text is decrypted again in its context', async () => {
  const identifier = fc.uuid();
  const provider = fc.constantFrom('openai', 'anthropic', 'google', 'azure_openai');
  const context = fc.record({ org: identifier, provider, keyId: identifier });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 2_048 }), context, async (text, where) => {
      const ciphertext = await vault.encrypt(new Secret(text), where);
      expect((await vault.decrypt(ciphertext, where)).reveal()).toBe(text);
    }),
  );
});

test('the same text never encrypts to the same ciphertext, and no ciphertext shows it', async () => {
  const made = await Promise.all(Array.from({ length: 200 }, () => vault.encrypt(new Secret(KEY), CONTEXT)));
  expect(new Set(made).size).toBe(200);
  // Four bytes name the master key, twelve are the nonce.
  const nonces = made.map((text) => bytesOf(text).subarray(4, 16).toString('hex'));
  expect(new Set(nonces).size).toBe(200);
  for (const text of made) {
    expect(text).toMatch(/^local\.v1\.[\w-]+$/);
    expect(bytesOf(text).includes(KEY.slice(0, 8))).toBe(false);
  }
});

const bytesOf = (ciphertext: string): Buffer => Buffer.from(ciphertext.split('.').at(-1) ?? '', 'base64url');

test('changing, adding or dropping any one character of the ciphertext keeps it shut', async () => {
  const ciphertext = await vault.encrypt(new Secret(KEY), CONTEXT);
  for (let at = 0; at <= ciphertext.length; at++) {
    const [before, after] = [ciphertext.slice(0, at), ciphertext.slice(at)];
    for (const text of [
      `${before}A${after}`,
      before + after.slice(1),
      `${before}-${after.slice(1)}`,
      before,
    ]) {
      if (text !== ciphertext) expect(await refused(text)).toBeInstanceOf(VaultError);
    }
  }
});

test.each(['', 'local', 'local.v1.', 'local.v2.AAAA', 'local.v1.AAAA', KEY, 'local.v1.ÄÖ', '\n'])(
  '%j is no ciphertext',
  async (text) => {
    expect(await refused(text)).toMatchObject({ name: 'VaultError', retryable: false });
  },
);

test.each(OTHER_CONTEXTS)('a ciphertext moved to %s does not open', async (_what, context) => {
  const ciphertext = await vault.encrypt(new Secret(KEY), CONTEXT);
  expect(await refused(ciphertext, context)).toMatchObject({
    name: 'VaultError',
    message: expect.stringMatching(/moved from another organisation, project, provider or key/),
    retryable: false,
  });
});

test('another master key decrypts nothing, and the error names the reason', async () => {
  const other = localVault(randomBytes(32));
  const ciphertext = await other.encrypt(new Secret(KEY), CONTEXT);
  expect(await refused(ciphertext)).toMatchObject({
    name: 'VaultError',
    message: expect.stringMatching(/another master key: bring back the vault-key file/),
    retryable: false,
  });
});

test('a ciphertext of KMS is recognised', async () => {
  expect(await refused('kms.v1.AAAA')).toMatchObject({
    message: expect.stringMatching(/encrypted by the kms vault/),
  });
});

test.each([0, 16, 31, 33])('a master key of %d bytes is refused', (length) => {
  expect(() => localVault(randomBytes(length))).toThrow(`${length} bytes instead of 32`);
});
