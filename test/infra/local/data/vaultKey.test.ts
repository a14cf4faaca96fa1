import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type DataFolder, openDataFolder } from '../../../../infra/local/data/dataFolder.ts';
import { ensureVaultKey } from '../../../../infra/local/data/vaultKey.ts';
import { StartupError } from '../../../../infra/local/startupError.ts';
import { temporaryFolder } from '../../../support/service.ts';

let folder: DataFolder;
beforeEach(() => {
  folder = openDataFolder(temporaryFolder());
});
afterEach(() => rmSync(folder.path, { recursive: true, force: true }));

test('the first start makes 32 random bytes for the owner alone, the next keeps them', () => {
  const umask = process.umask(0);
  ensureVaultKey(folder);
  process.umask(umask);
  const made = readFileSync(folder.vaultKeyFile);
  expect(made).toHaveLength(32);
  expect(statSync(folder.vaultKeyFile).mode & 0o777).toBe(0o600);
  ensureVaultKey(folder);
  expect(readFileSync(folder.vaultKeyFile).equals(made)).toBe(true);
  expect(readdirSync(folder.path)).toEqual(['format', 'vault-key']);
  rmSync(folder.vaultKeyFile);
  ensureVaultKey(folder);
  expect(readFileSync(folder.vaultKeyFile).equals(made)).toBe(false);
});

test.each([0, 31, 33])('a file of %d bytes is refused in one sentence, and left as it is', (length) => {
  writeFileSync(folder.vaultKeyFile, Buffer.alloc(length));
  expect(() => ensureVaultKey(folder)).toThrow(StartupError);
  expect(() => ensureVaultKey(folder)).toThrow(`${folder.vaultKeyFile} has ${length} bytes instead of 32`);
  expect(readFileSync(folder.vaultKeyFile)).toHaveLength(length);
});

test('one that cannot be read is refused in one sentence', () => {
  mkdirSync(folder.vaultKeyFile);
  expect(() => ensureVaultKey(folder)).toThrow(StartupError);
  expect(() => ensureVaultKey(folder)).toThrow(
    /^The vault key file .+ cannot be read \(.+\): make it readable\.$/,
  );
});
