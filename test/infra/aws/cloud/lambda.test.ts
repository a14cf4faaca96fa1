import { expect, test } from '@jest/globals';
import { isAlive } from '../../../support/processes.ts';
import { eventually } from '../../../support/service.ts';
import { warmPool } from './lambda.ts';
import { writtenFunctions } from './writtenFunctions.ts';

const deploy = writtenFunctions();

test('an environment is kept for the next invocation and has one at a time, several run at once', async () => {
  const { invoke } = deploy(`
    import { setTimeout as sleep } from 'node:timers/promises';
    let running = 0;
    export const handler = async () => {
      const atOnce = ++running;
      await sleep(20);
      running--;
      return { atOnce, pid: process.pid };
    };`);
  type Answer = { atOnce: number; pid: number };
  const [first, second] = [(await invoke({})) as Answer, (await invoke({})) as Answer];
  expect(second.pid).toBe(first.pid);
  const answers = (await Promise.all(Array.from({ length: 9 }, () => invoke({})))) as Answer[];
  expect(answers.map(({ atOnce }) => atOnce)).toEqual(new Array(9).fill(1));
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(2);
});

test('above the limit of idle environments the longest unused are ended, and later calls still succeed', async () => {
  const pool = warmPool(1);
  const source = 'export const handler = async () => process.pid;';
  const [one, other] = [deploy(source, {}, {}, pool), deploy(source, {}, {}, pool)];
  const first = Number(await one.invoke({}));
  expect(await one.invoke({})).toBe(first);
  await other.invoke({});
  await eventually(() => !isAlive(first));
  expect(await one.invoke({})).not.toBe(first);
});

test('no process is left after a function was stopped, in any state', async () => {
  const { invoke, stop, lines } = deploy(
    'export const handler = async () => { console.log(process.pid); for (;;); };',
  );
  const running = Promise.allSettled([invoke({}), invoke({})]);
  await eventually(() => lines.length === 2);
  const pids = lines.map(Number);
  await stop();
  expect((await running).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(pids.map(isAlive)).toEqual([false, false]);
});
