import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { NODE } from '../../support/service.ts';

const SCRIPT = path.join(import.meta.dirname, 'starved.ts');
/** Of a tenth of a second: less than a Lambda function of 256 MB has. */
const SHARE_MS = 10;

test('a machine that gives a tenth of its processor changes no verdict: honest scorers end, a hostile one is ended', async () => {
  const child = fork(SCRIPT, { execPath: NODE, execArgv: ['--disable-warning=ExperimentalWarning'] });
  await once(child, 'message');
  const answered = Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.send('score');
  let scored = false;
  void answered.then(() => {
    scored = true;
  });
  while (!scored && child.exitCode === null) {
    await delay(SHARE_MS);
    child.kill('SIGSTOP');
    await delay(100 - SHARE_MS);
    child.kill('SIGCONT');
  }
  const [[hostile, ...honest]] = await answered;
  if (child.connected) child.disconnect();
  expect(hostile).toEqual({ passed: false, errored: true });
  expect(honest.filter((result: { errored: boolean }) => result.errored)).toEqual([]);
  expect(honest.every((result: { passed: boolean }) => result.passed)).toBe(true);
});
