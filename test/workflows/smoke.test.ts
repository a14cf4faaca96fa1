import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { push } from '../clients/action/payloads.ts';
import { startBundle } from '../clients/action/runnerStandIn.ts';
import { eventually, REPOSITORY_DIR, temporaryFolder } from '../support/service.ts';
import { readWorkflow, type Step, scriptOf, stepOf } from './workflows.ts';

const ci = readWorkflow('.github/workflows/ci.yml');
const folder = temporaryFolder();
const output = path.join(folder, 'output');
const started: number[] = [];
let url: string;
let env: Record<string, string>;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env = {
    PORT: String(port),
    EVALGATE_URL: url,
    EVALGATE_DATA_DIR: path.join(folder, 'data'),
    RUNNER_TEMP: folder,
    GITHUB_OUTPUT: output,
  };
  writeFileSync(output, '');
});
afterAll(async () => {
  for (const group of started) process.kill(-group, 'SIGTERM');
  await eventually(() => started.every((group) => !isThere(group)));
  rmSync(folder, { recursive: true, force: true });
});

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** As the runner does; what a step leaves running goes on until the end of the job. */
async function runScript(
  script: string,
  more: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
    cwd: REPOSITORY_DIR,
    env: { ...process.env, NODE_OPTIONS: '', ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  if (child.pid !== undefined && script.includes('&\n')) started.push(child.pid);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const [code] = await once(child, 'exit');
  return { code, said };
}

const outputOf = (name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(output, 'utf8'))?.[1] ?? '';

/** The action as the step gives it inputs. */
function gate({ with: given = {} }: Step) {
  const inputs = Object.entries(given).map(([name, value]) => [
    name,
    String(value)
      .replace(/\$\{\{ runner\.temp \}\}/, folder)
      .replace(/\$\{\{ steps\.suite\.outputs\.api-key \}\}/, outputOf('api-key'))
      .replace('http://127.0.0.1:3000', url),
  ]);
  return startBundle({
    inputs: Object.fromEntries(inputs),
    payload: push(),
    env: {
      GITHUB_EVENT_NAME: 'push',
      GITHUB_REPOSITORY: 'octo-org/evalgate',
      GITHUB_SHA: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_RUN_ID: '1',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_API_URL: 'http://127.0.0.1:1',
      GITHUB_SERVER_URL: 'http://127.0.0.1:1',
    },
  });
}

test('the job "gate" of ci.yml has the smoke test cleared by the action, and half of it aborted', async () => {
  for (const name of ['Start the service', 'Make a suite', 'Answer']) {
    const ended = await runScript(scriptOf(ci, 'gate', name));
    expect({ name, ...ended }).toEqual({ name, code: 0, said: expect.any(String) });
  }
  const whole = ci.workflow.jobs.gate?.steps?.find(({ uses, name }) => uses === './' && name === undefined);
  expect(await gate(whole ?? {})).toMatchObject({
    code: 0,
    outputs: { verdict: 'cleared', 'passed-cases': '4' },
  });
  const worse = await gate(stepOf(ci, 'gate', 'Gate a worse answer'));
  expect(worse).toMatchObject({
    code: 0,
    outputs: { verdict: 'aborted', 'exit-code': '1', 'failed-cases': '3' },
  });
  const compare = scriptOf(ci, 'gate', 'Compare its verdict');
  expect(await runScript(compare, { VERDICT: worse.outputs.verdict ?? '' })).toEqual({ code: 0, said: '' });
  expect(await runScript(compare, { VERDICT: 'cleared' })).toMatchObject({ code: 1 });
  expect(await runScript(compare, { VERDICT: 'skipped' })).toMatchObject({ code: 0 });
});
