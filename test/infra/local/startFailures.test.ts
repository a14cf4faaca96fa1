import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LocalConfig, readConfig } from '../../../infra/local/config.ts';
import { openDataFolder } from '../../../infra/local/data/dataFolder.ts';
import { ensureApiKey } from '../../../infra/local/data/firstStart.ts';
import { startHttpServer } from '../../../infra/local/http/httpServer.ts';
import { connectQueues } from '../../../infra/local/queue/connect.ts';
import { startLocalService } from '../../../infra/local/service.ts';
import { StartupError } from '../../../infra/local/startupError.ts';
import { isAlive, NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { startOwnQueues } from '../../support/queues.ts';
import { runService, startService, temporaryFolder } from '../../support/service.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** One sentence of a `StartupError`, which `main.ts` prints: see the first test. */
async function expectRefusal(start: Promise<unknown>, ...parts: readonly string[]): Promise<void> {
  const error = await start.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StartupError);
  const { message } = error as StartupError;
  expect(message).toMatch(/^[^\n]+\.$/);
  for (const part of parts) expect(message).toContain(part);
}

const startWith = (changes: Partial<LocalConfig> = {}) =>
  startLocalService({ ...readConfig({ PORT: '0' }), dataDir, ...changes });

/** Answers 404 to everything. */
const SERVER = {
  host: '127.0.0.1',
  port: 0,
  contracts: [{ id: 'x', method: 'ANY', path: '$default' } as never],
  functions: new Map([['x', async () => ({ statusCode: 404, body: 'no' })]]),
};

/** No engine runs, and the folder is free for the next start. */
function expectNothingLeft(): void {
  expect(existsSync(path.join(dataDir, 'engine.pid'))).toBe(false);
  expect(existsSync(path.join(dataDir, 'service.json'))).toBe(false);
}

test('a service that cannot start prints one sentence, exits with 1 and leaves a folder that works later', async () => {
  const otherFolder = temporaryFolder();
  const other = await startService({ dataDir: otherFolder });
  await expectRefusal(
    startWith({ dataDir: otherFolder }),
    'in use',
    other.baseUrl,
    String(other.process.pid),
    'EVALGATE_DATA_DIR',
  );
  const port = new URL(other.baseUrl).port;
  const refused = await runService({ dataDir, port });
  expect(refused).toMatchObject({ code: 1, signal: null, stdout: '' });
  expect(refused.stderr).toMatch(/^evalgate: [^\n]+\.\n$/);
  expect(refused.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
  expectNothingLeft();
  expect(isAlive(other.enginePid())).toBe(true);
  await other.stop();
  const service = await startService({ dataDir, port });
  expect((await service.stop()).code).toBe(0);
  rmSync(otherFolder, { recursive: true });
});

describe('a start is refused in one sentence that states what to do', () => {
  test('when the host is not an address of this machine', async () => {
    await expectRefusal(startHttpServer({ ...SERVER, host: '192.0.2.1' }), '192.0.2.1', 'set HOST');
  });

  test('when the data folder is a file', async () => {
    const file = path.join(dataDir, 'file');
    writeFileSync(file, 'mine');
    await expectRefusal(startWith({ dataDir: file }), `${file} is a file`, 'EVALGATE_DATA_DIR');
    await expectRefusal(startWith({ dataDir: path.join(file, 'below') }), 'EVALGATE_DATA_DIR');
  });

  test('when the data folder cannot be written to', async () => {
    // /proc takes no folders from anybody; a mode keeps out everybody but root.
    const unwritable = process.getuid?.() === 0 ? '/proc/evalgate' : path.join(dataDir, 'unwritable');
    if (process.getuid?.() !== 0) mkdirSync(unwritable, { mode: 0o500 });
    await expectRefusal(startWith({ dataDir: unwritable }), 'cannot be written to', 'EVALGATE_DATA_DIR');
  });

  test.each([
    ['an earlier', undefined, '`evalgate pull`'],
    ['a later', '3', 'format 3'],
  ])('when the data folder is of %s version', async (_, format, part) => {
    writeFileSync(path.join(dataDir, 'dynamodb.sqlite'), '');
    if (format !== undefined) writeFileSync(path.join(dataDir, 'format'), format);
    await expectRefusal(startWith(), part, 'EVALGATE_DATA_DIR');
    expectNothingLeft();
  });

  test('when the database file is no database, which is kept as it is', async () => {
    openDataFolder(dataDir);
    const file = path.join(dataDir, 'dynamodb.sqlite');
    const content = Buffer.alloc(8_192, 'not a database ');
    writeFileSync(file, content);
    await expectRefusal(startWith(), file, 'EVALGATE_DATA_DIR');
    expect(readFileSync(file)).toEqual(content);
    expectNothingLeft();
  });

  test('when the API key file cannot be read', async () => {
    mkdirSync(path.join(dataDir, 'api-key'));
    const accounts = { signUp: async () => 'egk_new', knows: async () => true, hasAny: async () => false };
    await expectRefusal(ensureApiKey(openDataFolder(dataDir), accounts), 'api-key cannot be read');
  });

  test('when the lock file is no lock file', async () => {
    writeFileSync(path.join(dataDir, 'lock'), 'x'.repeat(5_000));
    await expectRefusal(startWith(), 'lock cannot be used', 'delete it');
  });

  test('when the engine is missing, or no program', async () => {
    const engineBinary = path.join(dataDir, 'engine');
    await expectRefusal(startWith({ engineBinary }), engineBinary, 'DYNAMODB_ENDPOINT');
    writeFileSync(engineBinary, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0]));
    chmodSync(engineBinary, 0o755);
    await expectRefusal(startWith({ engineBinary }), engineBinary, 'DYNAMODB_ENDPOINT');
    expectNothingLeft();
  });

  test('when nothing answers at DYNAMODB_ENDPOINT', async () => {
    const dynamodbEndpoint = 'http://127.0.0.1:1';
    await expectRefusal(startWith({ dynamodbEndpoint }), dynamodbEndpoint, 'unset DYNAMODB_ENDPOINT');
    expect(readdirSync(dataDir)).toEqual(['format', 'lock']);
  });

  test('when something else than DynamoDB answers there', async () => {
    const { port, stop } = await startHttpServer(SERVER);
    const dynamodbEndpoint = `http://127.0.0.1:${port}`;
    await expectRefusal(startWith({ dynamodbEndpoint }), dynamodbEndpoint, 'unset DYNAMODB_ENDPOINT');
    await stop();
  });

  test('when SQS_ENDPOINT or QUEUE_URL lead to no queue with a dead-letter queue', async () => {
    const { endpoint, deadLetters, stop } = await startOwnQueues();
    const connect = (queueUrl: string | undefined, at = endpoint) =>
      connectQueues({ sqs: { endpoint: at, queueUrl } });
    await expectRefusal(connect(undefined, 'http://127.0.0.1:1'), 'http://127.0.0.1:1', 'unset SQS_ENDPOINT');
    await expectRefusal(connect(deadLetters.url), deadLetters.url, 'no redrive policy', 'set QUEUE_URL');
    await expectRefusal(connect(`${endpoint}/000000000000/missing`), 'does not exist', 'set QUEUE_URL');
    await stop();
  });
});

test('a command of the operator, and a copy, on a folder that no service ran on name the variable, and make no folder', async () => {
  const missing = path.join(dataDir, 'misspelt');
  const env = { PATH: process.env.PATH, EVALGATE_DATA_DIR: missing };
  const commands = [
    ['scripts/operator.ts', 'create-key'],
    ['scripts/operator.ts', 'set-plan', 'an-organisation', 'pro'],
    ['scripts/backup.ts', path.join(dataDir, 'copy')],
  ];
  for (const [script = '', ...args] of commands) {
    const ended = spawnSync(NODE, [path.join(REPOSITORY_DIR, script), ...args], { env, encoding: 'utf8' });
    expect({ code: ended.status, stderr: ended.stderr }).toEqual({
      code: 1,
      stderr: `evalgate: The folder ${missing} holds no data of a service: set EVALGATE_DATA_DIR to the one that it runs on.\n`,
    });
  }
  expect(readdirSync(dataDir)).toEqual([]);
});
