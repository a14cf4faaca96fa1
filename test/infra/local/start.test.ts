import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { isAlive } from '../../support/processes.ts';
import { type RunningService, startService, temporaryFolder } from '../../support/service.ts';

/** As pasted into a terminal, somewhere else than in the repository. */
function paste(shell: string, lines: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: parent };
  return spawnSync(shell, ['-c', lines.join('\n')], { encoding: 'utf8', cwd: parent, env }).stdout;
}

/** The tests follow one data folder through three starts; each stop is by another signal. */
const parent = temporaryFolder();
const dataDir = path.join(parent, "it's a $HOME `x` folder", 'deeper');
let service: RunningService;
let firstKey: string;
beforeAll(async () => {
  service = await startService({ dataDir, env: { EVALGATE_DEMO: 'on' } });
  firstKey = service.apiKey;
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const commands = (): string[] => service.stdout().match(/^(?!evalgate is)(evalgate|echo)[ (].+$/gm) ?? [];

async function expectStop(signal: NodeJS.Signals): Promise<void> {
  const enginePid = service.enginePid();
  expect(isAlive(enginePid)).toBe(true);
  // Terminal and parent process may both send it.
  service.process.kill(signal);
  service.process.kill(signal);
  const { stderr, ...exit } = await service.stop(signal);
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(stderr.split('\n').filter((line) => !line.includes('"level":"info"'))).toEqual(['']);
  expect(isAlive(enginePid)).toBe(false);
  await expect(fetch(service.baseUrl)).rejects.toThrow();
}

test('the first start prints addresses, the API key and four lines to paste, and nothing else', () => {
  expect(service.stdout()).toContain(`Dashboard: ${service.baseUrl}/app\n`);
  expect(service.stdout()).toContain(`Base URL:  ${service.baseUrl}\n`);
  expect(service.stdout()).toContain(`API key:   ${service.apiKey}\n`);
  expect(service.stdout()).toContain(`API docs:  ${service.baseUrl}/docs\n`);
  expect(service.stdout()).toContain(path.join(dataDir, 'api-key'));
  expect(commands()).toHaveLength(4);
  expect(service.stdout()).not.toMatch(/^\{/m);
});

test('the first start makes a project with a suite, and with a cleared and an aborted run to look at', async () => {
  const client = api(service.baseUrl, firstKey);
  const suite = (await client('GET', '/v1/projects/demo/suites/invoices')).body.data;
  const { data } = (await client('GET', `/v1/suites/${suite.id}/runs`)).body;
  expect(data.map(({ status }: { status: string }) => status)).toEqual(['aborted', 'cleared']);
});

test('a new data folder, its key and its database are for the owner alone', () => {
  const modeOf = (name: string) => statSync(path.join(dataDir, name)).mode & 0o777;
  expect(service.apiKey).toMatch(/^egk_[0-9A-Za-z]+$/);
  expect([modeOf(''), modeOf('api-key'), modeOf('dynamodb.sqlite') & 0o077]).toEqual([0o700, 0o600, 0]);
});

test('the lines, pasted into a shell, end with a cleared and an aborted run', () => {
  const said = paste('sh', commands());
  expect(said).toMatch(/^invoices {2}demo .*\ncleared/m);
  expect(said.slice(said.indexOf('cleared'))).toMatch(/^aborted by pass_rate[\s\S]*✗ .+/m);
});

test('a service uses the engine that DYNAMODB_ENDPOINT names and starts none', async () => {
  const commandLine = execFileSync('cat', [`/proc/${service.enginePid()}/cmdline`], { encoding: 'utf8' });
  const port = /--port\0(\d+)/.exec(commandLine)?.[1];
  const DYNAMODB_ENDPOINT = `http://127.0.0.1:${port}`;
  const second = await startService({ env: { DYNAMODB_ENDPOINT, TABLE_NAME: 'evalgate' } });
  expect(() => second.enginePid()).toThrow('ENOENT');
  const projects = async (baseUrl: string) => (await api(baseUrl, firstKey)('GET', '/v1/projects')).body;
  expect(await projects(second.baseUrl)).toEqual(await projects(service.baseUrl));
  await second.stop();
  expect(isAlive(service.enginePid())).toBe(true);
});

test('data, key and tokens are kept over a stop and a second start, which does not show the key again', async () => {
  const firstProjects = (await api(service.baseUrl, firstKey)('GET', '/v1/projects')).body;
  const { token } = (await api(service.baseUrl, firstKey)('POST', '/v1/auth/token')).body.data;
  await expectStop('SIGINT');
  service = await startService({ dataDir });
  expect(service.apiKey).toBe(firstKey);
  expect(service.stdout()).not.toContain(firstKey);
  expect(service.stdout()).toContain(`kept in ${path.join(dataDir, 'api-key')}`);
  for (const credential of [firstKey, token])
    expect((await api(service.baseUrl, credential)('GET', '/v1/projects')).body).toEqual(firstProjects);
});

test('a later start of a service with data prints what lists its suites, for the port it has then', () => {
  expect(commands()).toHaveLength(3);
  expect(paste('bash', commands())).toMatch(/^invoices {2}demo {2}run_.* aborted/m);
});

test('a start reports a key of another database', async () => {
  await expectStop('SIGHUP');
  rmSync(path.join(dataDir, 'dynamodb.sqlite'));
  service = await startService({ dataDir });
  expect(service.stdout()).toMatch(/^API key: .*belongs to another database: move that file away/m);
  expect(commands()).toEqual([]);
  await expectStop('SIGTERM');
});
