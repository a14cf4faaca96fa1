import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findFreePort } from '../../../infra/local/engine/freePort.ts';
import { api } from '../../support/api.ts';
import { NODE, REPOSITORY_DIR, temporaryFolder } from '../../support/service.ts';

const MAIN = path.join(REPOSITORY_DIR, 'infra/local/main.ts');

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Undefined while the port is closed. */
async function healthAt(baseUrl: string): Promise<number | undefined> {
  const answer = await fetch(`${baseUrl}/health`).catch(() => undefined);
  return answer?.status;
}

const keyIn = (folder: string): string => readFileSync(path.join(folder, 'api-key'), 'utf8').trim();

test('once the service is healthy, the API key is in its file, at every start', async () => {
  for (let start = 0; start < 3; start++) {
    const port = await findFreePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const env = { ...process.env, PORT: String(port), EVALGATE_DATA_DIR: dataDir, STRIPE_SECRET_KEY: '' };
    const child = fork(MAIN, { execPath: NODE, execArgv: [], env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    let ended = false;
    void exited.then(() => (ended = true));
    // Without a pause: nothing else looks at the very moment at which the service begins to answer.
    let status: number | undefined;
    while (status === undefined && !ended) status = await healthAt(baseUrl);
    const key = keyIn(dataDir);
    expect([status, key]).toEqual([200, expect.stringMatching(/^egk_\w+$/)]);
    expect((await api(baseUrl, key)('GET', '/v1/projects')).status).toBe(200);
    child.kill();
    await exited;
    if (start === 1) rmSync(dataDir, { recursive: true });
  }
});
