import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { NODE, REPOSITORY_DIR } from './support/processes.ts';
import { temporaryFolder } from './support/service.ts';

const ENVIRONMENT = path.join(REPOSITORY_DIR, 'test/support/jest/environment.cjs');

/** As a worker of Jest does: it takes no more messages once it gets the last one. */
const WORKER = `
require(${JSON.stringify(ENVIRONMENT)});
const listener = () => process.removeListener('message', listener);
process.on('message', listener);
process.send('ready');
`;

async function startWorker() {
  const file = path.join(temporaryFolder(), 'worker.cjs');
  writeFileSync(file, WORKER);
  const worker = fork(file, [], { execPath: NODE, execArgv: [] });
  await once(worker, 'message');
  return worker;
}

test('a worker that gets its last message ends by itself, before Jest ends it by force', async () => {
  const worker = await startWorker();
  worker.send('the last one');
  expect(await once(worker, 'exit')).toEqual([0, null]);
});

test('a worker whose run is gone ends, though it waits for messages', async () => {
  const worker = await startWorker();
  worker.disconnect();
  expect(await once(worker, 'exit')).toEqual([1, null]);
});
