import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { eventually, isAlive } from '../../../support/service.ts';
import type { DeployedFunction } from './deployed.ts';
import { FunctionError, type Host } from './functionProcess.ts';
import { type LambdaFunction, lambdaFunction, type WarmPool, warmPool } from './lambda.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-lambda-test-'));
const functions: LambdaFunction[] = [];
afterEach(async () => {
  for (const fn of functions.splice(0)) await fn.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;

/** A function of this source. */
function deploy(
  source: string,
  fields: Partial<DeployedFunction> = {},
  host: Partial<Host> = {},
  pool?: WarmPool,
) {
  const name = `fn-${++made}`;
  writeFileSync(path.join(folder, `${name}.mjs`), source);
  const fn: DeployedFunction = {
    id: `test/${name}`,
    name,
    arn: `arn:aws:lambda:us-east-1:111122223333:function:${name}`,
    folder,
    handler: `${name}.handler`,
    variables: {},
    memoryMegabytes: 256,
    timeoutSeconds: 20,
    statements: [],
    ...fields,
  };
  const lines: string[] = [];
  const given: Host = {
    account: '111122223333',
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIAFN', secretAccessKey: 'secret', sessionToken: 'session' },
    standIns: { STAND_IN: 'yes' },
    clockAheadMs: 0,
    onLine: (line) => void lines.push(line),
    ...host,
  };
  const started = lambdaFunction(fn, given, pool);
  functions.push(started);
  return { invoke: started.invoke, lines };
}

test('a function has the variables of its template, those of Lambda and the stand-ins, and no others', async () => {
  process.env.EVALGATE_OF_THE_TEST = 'leaks';
  const { invoke } = deploy('export const handler = async () => process.env;', {
    variables: { TABLE_NAME: 'the-table', LOG_LEVEL: 'info' },
  });
  const { AWS_LAMBDA_LOG_STREAM_NAME, ...variables } = (await invoke({})) as Record<string, string>;
  expect(AWS_LAMBDA_LOG_STREAM_NAME).toMatch(/\S/);
  expect(variables).toEqual({
    TABLE_NAME: 'the-table',
    LOG_LEVEL: 'info',
    STAND_IN: 'yes',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'AKIAFN',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: `fn-${made}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/fn-${made}`,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    LAMBDA_TASK_ROOT: expect.any(String),
    _HANDLER: `fn-${made}.handler`,
    LANG: 'en_US.UTF-8',
    PATH: expect.not.stringContaining('node_modules'),
    TZ: ':UTC',
  });
});

test('a function reads its own bundle and nothing else of the machine', async () => {
  const { invoke } = deploy(`
    import { readFileSync } from 'node:fs';
    export const handler = async ({ file }) => readFileSync(file, 'utf8').length;`);
  expect(await invoke({ file: path.join(folder, `fn-${made}.mjs`) })).toBeGreaterThan(10);
  await expect(invoke({ file: path.resolve('package.json') })).rejects.toThrow('restricted');
  await expect(invoke({ file: '/etc/hostname' })).rejects.toThrow('restricted');
});

test('a package that was not bundled is not there', async () => {
  const { invoke } = deploy("import 'zod'; export const handler = async () => 1;");
  await expect(invoke({})).rejects.toThrow("Cannot find package 'zod'");
});

test('the handler gets the event and a context of Lambda, whose clock may be ahead', async () => {
  const { invoke } = deploy(
    `export const handler = async (event, context) => (
      { event, context, leftMs: context.getRemainingTimeInMillis(), now: Date.now() });`,
    {},
    { clockAheadMs: 3_600_000 },
  );
  const before = Date.now();
  const { leftMs, now, ...rest } = (await invoke({ a: [1, null] })) as { leftMs: number; now: number };
  expect(rest).toEqual({
    event: { a: [1, null] },
    context: expect.objectContaining({
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      functionName: `fn-${made}`,
      memoryLimitInMB: '256',
      invokedFunctionArn: `arn:aws:lambda:us-east-1:111122223333:function:fn-${made}`,
    }),
  });
  expect(leftMs).toBeLessThanOrEqual(20_000);
  expect(leftMs).toBeGreaterThan(0);
  expect(now).toBeGreaterThanOrEqual(before + 3_600_000);
});

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

test('of the environments of all functions that wait, the longest unused give way, and are missed by nobody', async () => {
  const pool = warmPool(1);
  const source = 'export const handler = async () => process.pid;';
  const [one, other] = [deploy(source, {}, {}, pool), deploy(source, {}, {}, pool)];
  const first = Number(await one.invoke({}));
  expect(await one.invoke({})).toBe(first);
  await other.invoke({});
  await eventually(() => !isAlive(first));
  expect(await one.invoke({})).not.toBe(first);
});

test('what is written before an answer is there with the answer', async () => {
  const { invoke, lines } = deploy(`
    export const handler = async ({ n }) => {
      process.stderr.write(JSON.stringify({ n }) + '\\n');
      process.stdout.write('out ' + n + '\\n');
    };`);
  for (let n = 0; n < 50; n++) {
    expect(await invoke({ n })).toBe(null);
    expect(lines.slice(-2).sort()).toEqual([`out ${n}`, `{"n":${n}}`]);
  }
});

test.each([
  ['throws', 'throw new TypeError("no such thing")', 'TypeError: no such thing'],
  ['throws what is no error', 'throw "a word"', 'a word'],
  ['exits', 'process.exit(3)', 'Runtime exited: exit status 3'],
  [
    'dies of an error nobody caught',
    'setTimeout(() => { throw new Error("stray") }); await new Promise(() => {})',
    'stray',
  ],
  [
    'is killed',
    'process.kill(process.pid, "SIGKILL"); await new Promise(() => {})',
    'Runtime exited: SIGKILL',
  ],
  [
    'needs more memory than it has',
    'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))',
    'heap',
  ],
])('a function that %s fails its invocation, and the next one finds it well', async (_, body, said) => {
  const { invoke } = deploy(
    `export const handler = async ({ bad }) => { if (bad) { ${body} } return 'well'; };`,
    {
      memoryMegabytes: 128,
    },
  );
  const failed = invoke({ bad: true });
  await expect(failed).rejects.toThrow(FunctionError);
  await expect(failed).rejects.toThrow(said);
  expect(await invoke({})).toBe('well');
});

test('an invocation ends with the timeout of the template, and its process with it', async () => {
  const { invoke, lines } = deploy(
    'export const handler = async () => { console.log(process.pid); for (;;); };',
    { timeoutSeconds: 1 },
  );
  await expect(invoke({})).rejects.toThrow('Task timed out after 1 seconds');
  await eventually(() => !isAlive(Number(lines[0])));
});

test.each([
  ['that is not there', 'nothing.handler', "Cannot find module 'nothing'"],
  ['that exports something else', undefined, 'undefined or not exported'],
])('a file %s fails the invocation', async (_, handler, said) => {
  const { invoke } = deploy('export const other = 1;', handler === undefined ? {} : { handler });
  await expect(invoke({})).rejects.toThrow(said);
});

test('no process is left once a function has stopped, whatever it was doing', async () => {
  const { invoke, lines } = deploy(
    'export const handler = async () => { console.log(process.pid); for (;;); };',
  );
  const running = Promise.allSettled([invoke({}), invoke({})]);
  await eventually(() => lines.length === 2);
  const pids = lines.map(Number);
  await functions.pop()?.stop();
  expect((await running).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(pids.map(isAlive)).toEqual([false, false]);
});
