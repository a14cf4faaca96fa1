import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startHttpServer } from '../../../infra/local/http/httpServer.ts';
import { startOwnQueues } from '../../support/queues.ts';
import { type Exit, isAlive, runService, startService, temporaryFolder } from '../../support/service.ts';
import { firstOf } from '../../support/soak.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** One sentence on stderr, nothing on stdout, and an exit code by which a script sees the failure. */
function expectRefusal(exit: Exit, ...parts: (string | RegExp)[]): void {
  expect(exit.stderr).toMatch(/^evalgate: [^\n]+\.\n$/);
  for (const part of parts) expect(exit.stderr).toMatch(part);
  expect(exit).toMatchObject({ code: 1, signal: null, stdout: '' });
}

function expectNoEngine(): void {
  expect(existsSync(path.join(dataDir, 'engine.pid'))).toBe(false);
}

describe('a service that cannot run says why in one sentence and leaves nothing behind', () => {
  test('when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expectRefusal(await runService({ dataDir, port }), `Port ${port} on 127.0.0.1 is taken`, 'PORT=');
    expectNoEngine();
    other.close();
  });

  test('when the host is not an address of this machine', async () => {
    expectRefusal(await runService({ dataDir, env: { HOST: '192.0.2.1' } }), '192.0.2.1', 'set HOST');
    expectNoEngine();
  });

  test.each(firstOf(1, ['99999', 'abc', '-1']))('when PORT is %s', async (port) => {
    expectRefusal(await runService({ dataDir, port }), 'PORT must be', `"${port}"`);
  });

  const SETTINGS = [
    ['JUDGE_CALL_TIMEOUT_MS', 'soon'],
    ['LOG_LEVEL', 'loud'],
    ['SIGN_UP', 'maybe'],
  ] as const;
  test.each(firstOf(1, SETTINGS))('when %s is %s', async (name, value) => {
    expectRefusal(await runService({ dataDir, env: { [name]: value } }), name);
    expectNoEngine();
  });

  test('when the data folder is a file', async () => {
    const file = path.join(dataDir, 'file');
    writeFileSync(file, 'mine');
    expectRefusal(await runService({ dataDir: file }), `${file} is a file`, 'EVALGATE_DATA_DIR');
    expectRefusal(await runService({ dataDir: path.join(file, 'below') }), 'EVALGATE_DATA_DIR');
  });

  test('when the data folder cannot be written to', async () => {
    // /proc takes no folders from anybody; a mode keeps out everybody but root.
    const unwritable = process.getuid?.() === 0 ? '/proc/evalgate' : path.join(dataDir, 'unwritable');
    if (process.getuid?.() !== 0) mkdirSync(unwritable, { mode: 0o500 });
    expectRefusal(await runService({ dataDir: unwritable }), 'cannot be written to', 'EVALGATE_DATA_DIR');
  });

  const NO_DATABASES: [string, Buffer][] = [
    ['half a header', Buffer.from('SQLite for')],
    ['random bytes', Buffer.alloc(8_192, 'not a database ')],
  ];
  test.each(firstOf(1, NO_DATABASES))(
    'when the database file holds %s, and keeps the file as it is',
    async (_what, content) => {
      const file = path.join(dataDir, 'dynamodb.sqlite');
      writeFileSync(file, content);
      expectRefusal(await runService({ dataDir }), file, 'EVALGATE_DATA_DIR');
      expectNoEngine();
    },
  );

  test('when the database is a folder', async () => {
    mkdirSync(path.join(dataDir, 'dynamodb.sqlite'));
    expectRefusal(await runService({ dataDir }), 'dynamodb.sqlite', 'EVALGATE_DATA_DIR');
    expectNoEngine();
  });

  test('when the API key file cannot be read', async () => {
    mkdirSync(path.join(dataDir, 'api-key'));
    expectRefusal(await runService({ dataDir }), 'api-key cannot be read');
    expectNoEngine();
  });

  test('when the lock file is no lock file', async () => {
    writeFileSync(path.join(dataDir, 'lock'), 'x'.repeat(5_000));
    expectRefusal(await runService({ dataDir }), 'lock cannot be used', 'delete it');
  });

  test('when the data folder is in use, and names the service that uses it', async () => {
    const service = await startService({ dataDir });
    const refused = await runService({ dataDir });
    expectRefusal(refused, 'in use', service.baseUrl, String(service.process.pid), 'EVALGATE_DATA_DIR');
    expect(isAlive(service.enginePid())).toBe(true);
    expect((await fetch(`${service.baseUrl}/health`)).status).toBe(200);
    await service.stop();
  });

  test('when the engine is missing', async () => {
    const missing = path.join(dataDir, 'no-such-engine');
    expectRefusal(
      await runService({ dataDir, env: { DYNOXIDE_PATH: missing } }),
      missing,
      'DYNAMODB_ENDPOINT',
    );
  });

  test('when the engine is no program', async () => {
    const engine = path.join(dataDir, 'engine');
    writeFileSync(engine, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0]));
    chmodSync(engine, 0o755);
    expectRefusal(await runService({ dataDir, env: { DYNOXIDE_PATH: engine } }), engine, 'DYNAMODB_ENDPOINT');
  });

  test('when nothing answers at DYNAMODB_ENDPOINT', async () => {
    const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' };
    expectRefusal(await runService({ dataDir, env }), 'http://127.0.0.1:1', 'unset DYNAMODB_ENDPOINT');
    expect(readdirSync(dataDir)).toEqual(['lock']);
  });

  test('when nothing answers at SQS_ENDPOINT', async () => {
    const env = { SQS_ENDPOINT: 'http://127.0.0.1:1' };
    expectRefusal(await runService({ dataDir, env }), 'http://127.0.0.1:1', 'unset SQS_ENDPOINT');
    expectNoEngine();
  });

  test('when QUEUE_URL names no queue, or one without a dead-letter queue', async () => {
    const { endpoint, deadLetters, stop } = await startOwnQueues();
    const envOf = (QUEUE_URL: string) => ({ SQS_ENDPOINT: endpoint, QUEUE_URL });
    const lame = await runService({ dataDir, env: envOf(deadLetters.url) });
    const missing = await runService({ dataDir, env: envOf(`${endpoint}/000000000000/missing`) });
    await stop();
    expectRefusal(lame, deadLetters.url, 'no redrive policy', 'set QUEUE_URL');
    expectRefusal(missing, 'does not exist', 'set QUEUE_URL');
    expectNoEngine();
  });

  test('when something else than DynamoDB answers there', async () => {
    const { port, stop } = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      contracts: [{ id: 'x', method: 'ANY', path: '$default' } as never],
      functions: new Map([['x', async () => ({ statusCode: 404, body: 'no' })]]),
    });
    const env = { DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` };
    expectRefusal(await runService({ dataDir, env }), env.DYNAMODB_ENDPOINT, 'unset DYNAMODB_ENDPOINT');
    await stop();
  });
});

test('a folder that a failed start has seen works once the cause is gone', async () => {
  await runService({ dataDir, port: 'x' });
  await runService({ dataDir, env: { HOST: '192.0.2.1' } });
  const service = await startService({ dataDir });
  expect((await service.stop()).code).toBe(0);
});
