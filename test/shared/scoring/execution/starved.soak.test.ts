import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { NODE } from '../../../support/processes.ts';

const SCRIPT = path.join(import.meta.dirname, 'starved.ts');
/** A tenth of the processor: less than a Lambda function of 256 MB has. */
const SHARE_MS = 10;
const PERIOD_MS = 100;

/** What the process has worked so far. */
const workedMs = (pid: number): number => {
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
};

/** Lets it work for its share, or for the whole period where a busy machine gives it less, then stops it. */
async function ration(child: ChildProcess): Promise<void> {
  const { pid = 0 } = child;
  const [startMs, workedBeforeMs] = [performance.now(), workedMs(pid)];
  const leftMs = () => startMs + PERIOD_MS - performance.now();
  while (leftMs() > 0 && workedMs(pid) - workedBeforeMs < SHARE_MS) await delay(1);
  child.kill('SIGSTOP');
  await delay(Math.max(0, leftMs()));
  child.kill('SIGCONT');
}

test('a machine that gives a tenth of its processor changes no verdict: honest scorers end, a hostile one is ended', async () => {
  const child = fork(SCRIPT, { execPath: NODE, execArgv: ['--disable-warning=ExperimentalWarning'] });
  await once(child, 'message');
  const answered = Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.send('score');
  let scored = false;
  void answered.then(() => {
    scored = true;
  });
  while (!scored && child.exitCode === null) await ration(child);
  const [[hostile, ...honest]] = await answered;
  if (child.connected) child.disconnect();
  expect(hostile).toEqual({ passed: false, errored: true });
  expect(honest.filter((result: { errored: boolean }) => result.errored)).toEqual([]);
  expect(honest.every((result: { passed: boolean }) => result.passed)).toBe(true);
});
