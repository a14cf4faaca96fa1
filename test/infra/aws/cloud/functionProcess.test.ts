import path from 'node:path';
import { expect, test } from '@jest/globals';
import { isAlive } from '../../../support/processes.ts';
import { eventually } from '../../../support/service.ts';
import { FunctionError } from './functionProcess.ts';
import { writtenFunctions } from './writtenFunctions.ts';

const deploy = writtenFunctions();

test('a function has the variables of its template, those of Lambda and the stand-ins, and no others', async () => {
  process.env.EVALGATE_OF_THE_TEST = 'leaks';
  const { invoke, name } = deploy('export const handler = async () => process.env;', {
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
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    LAMBDA_TASK_ROOT: expect.any(String),
    _HANDLER: `${name}.handler`,
    LANG: 'en_US.UTF-8',
    PATH: expect.not.stringContaining('node_modules'),
    TZ: ':UTC',
  });
});

test('a function reads its own bundle and nothing else of the machine', async () => {
  const { invoke, folder, name } = deploy(`
    import { readFileSync } from 'node:fs';
    export const handler = async ({ file }) => readFileSync(file, 'utf8').length;`);
  expect(await invoke({ file: path.join(folder, `${name}.mjs`) })).toBeGreaterThan(10);
  await expect(invoke({ file: path.resolve('package.json') })).rejects.toThrow('restricted');
  await expect(invoke({ file: '/etc/hostname' })).rejects.toThrow('restricted');
});

test('a package that was not bundled is not there', async () => {
  const { invoke } = deploy("import 'zod'; export const handler = async () => 1;");
  await expect(invoke({})).rejects.toThrow("Cannot find package 'zod'");
});

test('the handler gets the event and a context of Lambda, whose clock may be ahead', async () => {
  const { invoke, name } = deploy(
    `export const handler = async (event, context) => (
      { event, context, leftMs: context.getRemainingTimeInMillis(), now: Date.now() });`,
    {},
    { clockAheadMs: () => 3_600_000 },
  );
  const before = Date.now();
  const { leftMs, now, ...rest } = (await invoke({ a: [1, null] })) as { leftMs: number; now: number };
  expect(rest).toEqual({
    event: { a: [1, null] },
    context: expect.objectContaining({
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      functionName: name,
      memoryLimitInMB: '256',
      invokedFunctionArn: `arn:aws:lambda:us-east-1:111122223333:function:${name}`,
    }),
  });
  expect(leftMs).toBeLessThanOrEqual(20_000);
  expect(leftMs).toBeGreaterThan(0);
  expect(now).toBeGreaterThanOrEqual(before + 3_600_000);
});

test('lines written before an answer have arrived with the answer', async () => {
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
  ['answers too much', 'return "x".repeat(6_291_555)', 'exceeded maximum allowed payload size'],
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
    { patience: 1 },
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
