import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkDatabase, recordCopy } from '../../../infra/local/data/copies.ts';
import { openDataFolder } from '../../../infra/local/data/dataFolder.ts';
import { explainedStart } from '../../../infra/local/data/diskFault.ts';
import { ensureApiKey } from '../../../infra/local/data/firstStart.ts';
import { watchStorage } from '../../../infra/local/data/storageWatch.ts';
import { StartupError } from '../../../infra/local/startupError.ts';
import { api } from '../../support/api.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { startService, temporaryFolder } from '../../support/service.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const fileOf = (name: string): string => path.join(dataDir, name);

test('without api-key and vault-key a start names the loss, a command makes a key for the same organisation, and the test of a provider key names what to bring back', async () => {
  const first = await startService({ dataDir });
  const call = api(first.baseUrl, first.apiKey);
  expect((await call('POST', '/v1/projects', { name: 'Kept', slug: 'kept' })).status).toBe(201);
  const byok = { provider: 'openai', name: 'own', key: `sk-${'a'.repeat(40)}` };
  const stored = await call('POST', '/v1/byok-keys', byok);
  expect(stored.status).toBe(201);
  await first.stop();

  const vaultKey = readFileSync(fileOf('vault-key'));
  rmSync(fileOf('vault-key'));
  const second = await startService({ dataDir });
  expect(second.stdout()).toMatch(/1 stored provider keys cannot be opened by .*vault-key/);
  const tested = await api(second.baseUrl, first.apiKey)(
    'POST',
    `/v1/byok-keys/${stored.body.data.id}/test`,
    {},
  );
  expect(JSON.stringify(tested.body)).toContain('bring back the vault-key file');
  await second.stop();

  writeFileSync(fileOf('vault-key'), vaultKey);
  writeFileSync(fileOf('api-key'), '');
  const args = [path.join(REPOSITORY_DIR, 'scripts/operator.ts'), 'create-key'];
  const env = { ...process.env, EVALGATE_DATA_DIR: dataDir };
  const made = JSON.parse(execFileSync(NODE, args, { env, encoding: 'utf8' })).api_key.key;
  const third = await startService({ dataDir });
  expect(third.apiKey).toBe(made);
  expect(third.stdout()).not.toMatch(/lost|cannot be opened/);
  const { body } = await api(third.baseUrl, made)('GET', '/v1/projects');
  expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual(['kept']);
  await third.stop();
});

test('the operator makes an organisation while the service runs and before its first start, whose key the folder then has', async () => {
  const operate = (...args: string[]) => {
    const file = path.join(REPOSITORY_DIR, 'scripts/operator.ts');
    const env = { ...process.env, EVALGATE_DATA_DIR: dataDir };
    return JSON.parse(execFileSync(NODE, [file, ...args], { env, encoding: 'utf8' }));
  };
  const first = operate('create-organisation', 'First');
  const service = await startService({ dataDir });
  expect(service.apiKey).toBe(first.api_key.key);
  const second = operate('create-organisation', 'Second', 'scale');
  const { body } = await api(service.baseUrl, second.api_key.key)('GET', '/v1/whoami');
  expect(body.data.organisation).toMatchObject({ name: 'Second', plan: 'scale' });
  await service.stop();
});

test('no second organisation is made where the key of the first one is gone', async () => {
  const accounts = {
    signUp: () => Promise.reject(new Error('signed up')),
    knows: async () => true,
    hasAny: async () => true,
  };
  const folder = openDataFolder(dataDir);
  expect(await ensureApiKey(folder, accounts)).toMatchObject({ key: '', isLost: true, isKnown: false });
  writeFileSync(folder.apiKeyFile, '\n');
  expect(await ensureApiKey(folder, accounts)).toMatchObject({ isLost: true });
});

test('an empty format file is written again without a database, and named with one', () => {
  writeFileSync(fileOf('format'), '');
  const { databaseFile } = openDataFolder(dataDir);
  expect(readFileSync(fileOf('format'), 'utf8')).toBe('2');
  writeFileSync(databaseFile, 'x');
  writeFileSync(fileOf('format'), '');
  expect(() => openDataFolder(dataDir)).toThrow(StartupError);
  expect(() => openDataFolder(dataDir)).toThrow(/format is empty.+nothing else is lost.+echo 2 > /);
});

/** Overwrites pages behind the first ones. */
function damage(file: string): void {
  const descriptor = openSync(file, 'r+');
  for (let at = 8_192; at < statSync(file).size; at += 4_096)
    writeSync(descriptor, Buffer.alloc(2_000, 0xff), 0, 2_000, at);
  closeSync(descriptor);
}

test('a damaged page is found after a kill, and the latest copy is named', () => {
  const folder = openDataFolder(dataDir);
  const database = new DatabaseSync(folder.databaseFile);
  database.exec('CREATE TABLE t (a PRIMARY KEY, b)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
  for (let row = 0; row < 500; row++) insert.run(row, 'x'.repeat(100));
  database.close();
  checkDatabase(folder);
  damage(folder.databaseFile);
  expect(() => checkDatabase(folder)).toThrow(/is damaged \(.+\): restore a copy/);
  recordCopy(folder, '/backup/monday');
  expect(() => checkDatabase(folder)).toThrow(/start on the copy of 20.+EVALGATE_DATA_DIR=\/backup\/monday/);
});

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE', 'EFBIG'])(
  'a start that fails by %s states what the operator does',
  (code) => {
    const error = explainedStart(Object.assign(new Error(`${code}: it failed, write`), { code }), dataDir);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toMatch(/cannot be written to \(.+\), since .+: .+EVALGATE_DATA_DIR/);
  },
);

test('a failed start on a disk with room keeps its own reason', () => {
  const error = new StartupError('The port is taken.');
  expect(explainedStart(error, dataDir)).toBe(error);
});

test('after a refused write the health is 503 until a probe is written', async () => {
  let isFull = true;
  const probe = async () => {
    if (isFull) throw new Error('disk is full');
  };
  const { seen } = watchStorage(probe);
  const health = {
    statusCode: 200,
    body: JSON.stringify({ status: 'ok', services: { database: 'connected' } }),
  };
  const status = async () => (await seen('health/get', health)).statusCode;
  expect(await status()).toBe(200);
  await seen('runs/create', { statusCode: 507 });
  expect([await status(), await status()]).toEqual([503, 503]);
  isFull = false;
  expect(await status()).toBe(200);
});

test.each([
  [['create-organisation', '--help']],
  [['create-organisation', 'Acme', '--plan=pro']],
  [['create-organisation', 'Acme', 'pro', 'more']],
  [['set-plan', 'acme']],
  [['create-key', 'a', 'b']],
  [[]],
])('the operator is shown the commands for %j, which is none of them, and no folder is made', (args) => {
  const file = path.join(REPOSITORY_DIR, 'scripts/operator.ts');
  const folder = fileOf('none');
  const env = { ...process.env, EVALGATE_DATA_DIR: folder };
  const { status, stderr, stdout } = spawnSync(NODE, [file, ...args], { env, encoding: 'utf8' });
  expect({ status, stdout, made: existsSync(folder) }).toEqual({ status: 2, stdout: '', made: false });
  expect(stderr).toContain('create-organisation <name> [<plan>]');
});
