import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type DataFolder, openDataFolder } from '../../../../infra/local/data/dataFolder.ts';
import { checkKeys, ensureKey, STATEMENTS, TOKENS } from '../../../../infra/local/data/signingKey.ts';
import { StartupError } from '../../../../infra/local/startupError.ts';
import { temporaryFolder } from '../../../support/service.ts';

let folder: DataFolder;
beforeEach(() => {
  folder = openDataFolder(temporaryFolder());
});
afterEach(() => rmSync(folder.path, { recursive: true, force: true }));

test('the first start makes an RSA key for the owner alone, which the next ones use until it is moved away', async () => {
  const umask = process.umask(0);
  const file = await ensureKey(folder.tokenKeyFile, TOKENS);
  process.umask(umask);
  const made = readFileSync(file, 'utf8');
  expect(createPrivateKey(made).asymmetricKeyDetails?.modulusLength).toBe(2_048);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await ensureKey(folder.tokenKeyFile, TOKENS)).toBe(file);
  expect(readFileSync(file, 'utf8')).toBe(made);
  rmSync(file);
  await ensureKey(folder.tokenKeyFile, TOKENS);
  expect(readFileSync(file, 'utf8')).not.toBe(made);
});

const weak = () =>
  generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({ type: 'pkcs8', format: 'pem' });

test.each([
  ['is empty', () => ''],
  ['holds something else', () => 'egk_'],
  ['holds a key too short', weak],
])('one that %s is refused in one sentence, and left as it is', async (_, content) => {
  writeFileSync(folder.tokenKeyFile, content());
  const before = readFileSync(folder.tokenKeyFile, 'utf8');
  await expect(ensureKey(folder.tokenKeyFile, TOKENS)).rejects.toThrow(StartupError);
  await expect(ensureKey(folder.tokenKeyFile, TOKENS)).rejects.toThrow(
    /token-key\.pem holds no private RSA key .+ move it away/,
  );
  expect(readFileSync(folder.tokenKeyFile, 'utf8')).toBe(before);
});

test('one that cannot be read is refused too', async () => {
  mkdirSync(folder.tokenKeyFile);
  await expect(ensureKey(folder.tokenKeyFile, TOKENS)).rejects.toThrow(StartupError);
});

test('files that the environment names are looked at before the service starts', async () => {
  const file = await ensureKey(folder.tokenKeyFile, TOKENS);
  checkKeys({ kind: 'local', files: [file] }, TOKENS);
  checkKeys({ kind: 'kms', keyIds: ['alias/tokens'], endpoint: undefined }, TOKENS);
  const missing = path.join(folder.path, 'nowhere.pem');
  expect(() => checkKeys({ kind: 'local', files: [file, missing] }, TOKENS)).toThrow(
    /nowhere\.pem holds no private RSA key in PEM form \(.+\): name other files in TOKEN_KEY_FILES, or unset it\.$/,
  );
});

test('the key of statements is one of the curve P-256, and another one is refused with its variable', async () => {
  const file = await ensureKey(folder.statementKeyFile, STATEMENTS);
  expect(createPrivateKey(readFileSync(file)).asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await ensureKey(file, STATEMENTS)).toBe(file);
  const rsa = await ensureKey(folder.tokenKeyFile, TOKENS);
  expect(() => checkKeys({ kind: 'local', files: [file, rsa] }, STATEMENTS)).toThrow(
    /^The statement key file \S+token-key\.pem holds no private EC key of the curve P-256 in PEM form \(.+\): name other files in STATEMENT_KEY_FILES, or unset it\.$/,
  );
});
