import { execFileSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { isAlive, type RunningService, startService, temporaryFolder } from '../../support/service.ts';

const commandsOf = (service: RunningService): string[] => service.stdout().match(/^curl .+$/gm) ?? [];

/** As pasted into a terminal, somewhere else than in the repository. */
function paste(shell: string, command: string) {
  const answer = execFileSync(shell, ['-c', command], { encoding: 'utf8', cwd: tmpdir() });
  expect(answer).toMatch(/\n$/);
  return JSON.parse(answer);
}

const parents = [temporaryFolder(), temporaryFolder()] as const;
const folders = [parents[0], path.join(parents[1], "it's a $HOME `x` folder", 'deeper')];
afterAll(() => {
  for (const folder of parents) rmSync(folder, { recursive: true, force: true });
});

describe.each(folders)('a service with its data in %s', (dataDir) => {
  let service: RunningService;
  let firstKey: string;
  let firstProjects: unknown;

  beforeAll(async () => {
    service = await startService({ dataDir });
    firstKey = service.apiKey;
  });
  afterAll(() => service.stop());

  test('prints its base URL, the API key and four commands on the first start, and no more than that', () => {
    expect(service.stdout()).toContain(`Base URL: ${service.baseUrl}\n`);
    expect(service.stdout()).toContain(`API key:  ${service.apiKey}\n`);
    expect(service.stdout()).toContain(path.join(dataDir, 'api-key'));
    expect(commandsOf(service)).toHaveLength(4);
    expect(service.stdout()).not.toMatch(/^\{/m);
  });

  test('keeps the key for the owner alone', () => {
    expect(service.apiKey).toMatch(/^egk_[0-9A-Za-z]+$/);
    expect(statSync(path.join(dataDir, 'api-key')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'dynamodb.sqlite')).mode & 0o077).toBe(0);
  });

  test.each(['sh', 'bash'])(
    'has commands that end with cleared, then aborted, pasted into %s again and again',
    (shell) => {
      const [createProject = '', createSuite = '', goodRun = '', worseRun = ''] = commandsOf(service);
      for (let time = 0; time < 2; time++) {
        paste(shell, createProject);
        paste(shell, createSuite);
        const good = paste(shell, goodRun);
        expect(good).toMatchObject({ status: 'cleared', passed: true, pass_rate: 1, failures: [] });
        const worse = paste(shell, worseRun);
        expect(worse).toMatchObject({ status: 'aborted', passed: false });
        for (const failure of worse.failures) expect(failure.reason).not.toBe('');
        expect(worse.failures.length).toBeGreaterThan(0);
      }
    },
  );

  test('keeps data and key over a stop and a second start, which does not show the key again', async () => {
    firstProjects = (await api(service.baseUrl, firstKey)('GET', '/v1/projects')).body;
    expect(await service.stop()).toMatchObject({ code: 0 });
    service = await startService({ dataDir });
    expect(service.apiKey).toBe(firstKey);
    expect(service.stdout()).not.toContain(firstKey);
    expect(service.stdout()).toContain(`kept in ${path.join(dataDir, 'api-key')}`);
    expect((await api(service.baseUrl, firstKey)('GET', '/v1/projects')).body).toEqual(firstProjects);
  });

  test('has commands on later starts too, for the port it has then', () => {
    const [, , goodRun = '', worseRun = ''] = commandsOf(service);
    expect(paste('sh', goodRun).status).toBe('cleared');
    expect(paste('bash', worseRun).status).toBe('aborted');
  });

  test('says so when the key is of another database', async () => {
    await service.stop();
    rmSync(path.join(dataDir, 'dynamodb.sqlite'));
    service = await startService({ dataDir });
    expect(service.stdout()).toMatch(/^API key: .*belongs to another database: move that file away/m);
  });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s stops the service and its engine and is a success',
  async (signal) => {
    const service = await startService();
    const enginePid = service.enginePid();
    expect(isAlive(enginePid)).toBe(true);
    service.process.kill(signal);
    service.process.kill(signal);
    const exit = await service.stop(signal);
    expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(isAlive(enginePid)).toBe(false);
    await expect(fetch(service.baseUrl)).rejects.toThrow();
  },
);

test('a new data folder is for the owner alone, one that was there keeps its mode', async () => {
  const parent = temporaryFolder();
  const dataDir = path.join(parent, 'new');
  const service = await startService({ dataDir });
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  await service.stop();
  rmSync(parent, { recursive: true });
});

test('a service uses the engine that DYNAMODB_ENDPOINT names and starts none', async () => {
  const first = await startService();
  const enginePort = /--port\0(\d+)/.exec(commandLineOf(first.enginePid()))?.[1];
  const second = await startService({ env: { DYNAMODB_ENDPOINT: `http://127.0.0.1:${enginePort}` } });
  expect(() => second.enginePid()).toThrow('ENOENT');
  const { body } = await api(second.baseUrl, first.apiKey)('GET', '/v1/projects');
  expect(body.data).toEqual([]);
  await second.stop();
  expect(isAlive(first.enginePid())).toBe(true);
  await first.stop();
});

function commandLineOf(pid: number): string {
  return execFileSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' });
}
