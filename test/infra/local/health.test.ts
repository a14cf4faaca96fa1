import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { findFreePort } from '../../../infra/local/engine/freePort.ts';
import { api } from '../../support/api.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/service.ts';

const MAIN = path.join(REPOSITORY_DIR, 'infra/local/main.ts');

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const found = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return found;
}

test('once the port of a first start is open, the API key is in its file', async () => {
  const dataDir = temporaryFolder();
  const port = await findFreePort();
  const env = { ...process.env, PORT: String(port), EVALGATE_DATA_DIR: dataDir, STRIPE_SECRET_KEY: '' };
  const child = fork(MAIN, { execPath: NODE, execArgv: [], env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  let ended = false;
  void exited.then(() => (ended = true));
  // Without a pause: nothing else looks at the very moment at which the service begins to listen.
  while (!ended && !(await isOpen(port)));
  const key = readFileSync(path.join(dataDir, 'api-key'), 'utf8').trim();
  const baseUrl = `http://127.0.0.1:${port}`;
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  expect((await api(baseUrl, key)('GET', '/v1/projects')).status).toBe(200);
  child.kill();
  await exited;
  rmSync(dataDir, { recursive: true, force: true });
});
