import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { vaultFromConfig } from '../../../shared/vault/fromConfig.ts';
import { startKms } from '../../support/kms.ts';
import { temporaryFolder } from '../../support/service.ts';
import { CONTEXT } from './contexts.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keyFile(bytes: number): string {
  const file = path.join(folder, `key-of-${bytes}`);
  writeFileSync(file, randomBytes(bytes));
  return file;
}

const vaultOf = (env: Record<string, string>) => vaultFromConfig(readConfig({ TABLE_NAME: 'table', ...env }));

test('VAULT_KEY_FILE makes a local vault of its 32 bytes', async () => {
  const env = { VAULT_KEY_FILE: keyFile(32) };
  const ciphertext = await vaultOf(env).encrypt(new Secret('sk-live-0123'), CONTEXT);
  expect(ciphertext).toMatch(/^local\.v1\./);
  expect((await vaultOf(env).decrypt(ciphertext, CONTEXT)).reveal()).toBe('sk-live-0123');
});

test('KMS_KEY_ID makes a vault of KMS, whatever else is set', async () => {
  const kms = await startKms('alias/byok');
  Object.assign(process.env, { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  const env = { KMS_KEY_ID: 'alias/byok', KMS_ENDPOINT: kms.endpoint, VAULT_KEY_FILE: keyFile(32) };
  expect(await vaultOf(env).encrypt(new Secret('sk-live-0123'), CONTEXT)).toMatch(/^kms\.v1\./);
  await kms.stop();
});

test('a function that needs a vault does not start without one, or with half a master key', () => {
  expect(() => vaultOf({})).toThrow('set KMS_KEY_ID or VAULT_KEY_FILE');
  expect(() => vaultOf({ VAULT_KEY_FILE: path.join(folder, 'nowhere') })).toThrow('ENOENT');
  expect(() => vaultOf({ VAULT_KEY_FILE: keyFile(16) })).toThrow('16 bytes instead of 32');
});
