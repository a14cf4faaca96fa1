import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDataFolder } from '../../../infra/local/data/dataFolder.ts';
import { GOOD_OUTPUT } from '../../../infra/local/demo.ts';
import { startEngine } from '../../../infra/local/engine/engine.ts';
import { findEngine } from '../../../infra/local/engine/engineCommand.ts';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import { itemsBehind } from '../../support/itemsBehind.ts';
import { TABLE_NAME } from '../../support/ownService.ts';
import { isAlive } from '../../support/processes.ts';
import { provideLocalCredentials } from '../../support/queues.ts';
import { eventually, type RunningService, startService, temporaryFolder } from '../../support/service.ts';
import { sized } from '../../support/soak.ts';

type Wire = ApiAnswer['body'];

const ROUNDS = sized(1, 4);
const ENV = { TABLE_NAME };
const WRITERS = sized(2, 4);
const TEMPLATE = 'json-schema-extraction';
const TEMPLATE_CASES = 8;

let service: RunningService;
let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(async () => {
  await service.kill9();
  rmSync(dataDir, { recursive: true });
});

/** What the service said it had done, and what it was asked to do without an answer to be sure of. */
class Ledger {
  readonly acknowledged = new Map<string, unknown>();
  readonly attempted = new Set<string>();
  private counter = 0;

  next(): string {
    const slug = `entry-${++this.counter}`;
    this.attempted.add(slug);
    return slug;
  }
}

interface Ledgers {
  readonly projects: Ledger;
  readonly suites: Ledger;
  /** Ids of acknowledged runs, concluded or pending. */
  readonly runs: Set<string>;
  runsAttempted: number;
}

async function attempt(call: Promise<ApiAnswer>): Promise<ApiAnswer | undefined> {
  try {
    const answer = await call;
    // While the engine is down the service may fail, but only as declared.
    expect([200, 201, 202, 500]).toContain(answer.status);
    return answer.status < 300 ? answer : undefined;
  } catch (error) {
    if (String(error) === 'TypeError: fetch failed') return undefined;
    throw error;
  }
}

async function writeUntil(done: () => boolean, call: Api, ledgers: Ledgers): Promise<void> {
  while (!done()) {
    const project = ledgers.projects.next();
    const created = await attempt(call('POST', '/v1/projects', { name: project, slug: project }));
    if (created) ledgers.projects.acknowledged.set(project, created.body.data);

    const suite = ledgers.suites.next();
    const path = '/v1/projects/base/suites/from-template';
    const copied = await attempt(call('POST', path, { template_slug: TEMPLATE, slug: suite }));
    if (copied) ledgers.suites.acknowledged.set(suite, copied.body.data);

    for (const asynchronous of [false, true]) {
      ledgers.runsAttempted++;
      const body = { suite: 'base', output: GOOD_OUTPUT, async: asynchronous };
      const run = await attempt(call('POST', '/v1/run', body));
      if (run) ledgers.runs.add(run.body.id);
    }
  }
}

async function listAll(call: Api, path: string): Promise<Wire[]> {
  const items = [];
  for (let page = 1; ; page++) {
    const answer = await call('GET', `${path}?page=${page}&pageSize=100`);
    expect(answer.status).toBe(200);
    items.push(...answer.body.data);
    if (!answer.body.pagination.hasMore) {
      expect(items).toHaveLength(answer.body.pagination.total);
      return items;
    }
  }
}

function expectAllOf(ledger: Ledger, listed: Wire[]): void {
  const bySlug = new Map(listed.map((item) => [item.slug, item]));
  expect(bySlug.size).toBe(listed.length);
  for (const [slug, item] of ledger.acknowledged) expect(bySlug.get(slug)).toEqual(item);
  for (const slug of bySlug.keys()) expect([...ledger.attempted, 'base']).toContain(slug);
}

/** Nothing acknowledged is missing, and what is visible is whole. Returns the number of runs. */
async function expectConsistent(call: Api, ledgers: Ledgers): Promise<number> {
  const projects = await listAll(call, '/v1/projects');
  expectAllOf(ledgers.projects, projects);
  for (const project of projects) {
    expect((await call('GET', `/v1/projects/${project.slug}`)).body.data).toEqual(project);
  }

  const suites = await listAll(call, '/v1/projects/base/suites');
  expectAllOf(ledgers.suites, suites);
  for (const suite of suites) {
    expect((await call('GET', `/v1/projects/base/suites/${suite.slug}`)).body.data).toEqual(suite);
    const cases = await listAll(call, `/v1/suites/${suite.id}/cases`);
    expect(cases).toHaveLength(TEMPLATE_CASES);
    for (const { scorer_id } of cases)
      expect((await call('GET', `/v1/scorers/${scorer_id}`)).status).toBe(200);
  }

  const base = suites.find(({ slug }) => slug === 'base');
  const listRuns = () => listAll(call, `/v1/suites/${base.id}/runs`);
  await eventually(async () => (await listRuns()).every(({ status }) => status !== 'pending'));
  const runs = await listRuns();
  const runIds = new Set(runs.map(({ id }) => id));
  expect(runIds.size).toBe(runs.length);
  expect(runs.length).toBeLessThanOrEqual(ledgers.runsAttempted);
  for (const id of ledgers.runs) expect(runIds).toContain(id);
  let expected: Wire[] | undefined;
  for (const run of runs) {
    expect(run).toMatchObject({ status: 'cleared', total_cases: TEMPLATE_CASES, errored_cases: 0 });
    expect((await call('GET', `/v1/runs/${run.id}`)).body.data).toEqual(run);
    const { data } = (await call('GET', `/v1/runs/${run.id}/results`)).body;
    const results: Wire[] = data.map(({ id: _, duration_ms: __, run_id: ___, ...result }: Wire) => result);
    expected ??= results;
    expect(results).toHaveLength(TEMPLATE_CASES);
    expect(results).toEqual(expected);
  }
  return runs.length;
}

/** How many runs the table says were used, once the service has left it. */
async function usedRuns(): Promise<number> {
  const engine = await startEngine(openDataFolder(dataDir), findEngine(undefined));
  provideLocalCredentials();
  const items = await itemsBehind(engine.endpoint, TABLE_NAME);
  await engine.stop();
  const usage = items.filter(({ sk }) => String(sk).startsWith('USAGE#'));
  return usage.reduce((sum, { used }) => sum + Number(used), 0);
}

/** Kills in the middle of writes; returns once what was being written is answered or lost. */
async function killAmidWrites(first: Api, ledgers: Ledgers, kill: () => Promise<Api>): Promise<Api> {
  let call = first;
  for (let round = 0; round < ROUNDS; round++) {
    let done = false;
    const writers = Array.from({ length: WRITERS }, () => writeUntil(() => done, call, ledgers));
    const before = ledgers.runs.size;
    await eventually(() => ledgers.runs.size > before + round);
    await delay(10 * round);
    call = await kill();
    done = true;
    await Promise.all(writers);
    expect((await call('GET', '/health')).status).toBe(200);
    expect((await call('POST', '/v1/run', { suite: 'base', output: GOOD_OUTPUT })).status).toBe(200);
    ledgers.runsAttempted++;
  }
  return call;
}

const client = (): Api => api(service.baseUrl, service.apiKey);

async function killEngine(): Promise<Api> {
  const pid = service.enginePid();
  process.kill(pid, 'SIGKILL');
  await eventually(() => service.enginePid() !== pid);
  await eventually(async () => (await client()('GET', '/v1/projects')).status === 200);
  return client();
}

async function restartAfter(end: () => Promise<unknown>): Promise<Api> {
  const pid = service.enginePid();
  const key = service.apiKey;
  await end();
  service = await startService({ dataDir, env: ENV });
  expect(isAlive(pid)).toBe(false);
  expect([service.apiKey, service.enginePid() === pid]).toEqual([key, false]);
  return client();
}

/** Stopped, neither the engine nor its watcher can act on the end of the service: the next start has to end them. */
const killServiceAlone = (): Promise<Api> =>
  restartAfter(async () => {
    process.kill(-service.enginePid(), 'SIGSTOP');
    await service.kill9();
  });

const stopService = (): Promise<Api> => restartAfter(() => service.stop());

test('whatever ends amid writes, engine or service, by kill -9 or a stop: nothing acknowledged is missing, half-written or counted twice', async () => {
  service = await startService({ dataDir, env: ENV });
  const template = { template_slug: TEMPLATE, slug: 'base' };
  expect((await client()('POST', '/v1/projects', { name: 'Base', slug: 'base' })).status).toBe(201);
  expect((await client()('POST', '/v1/projects/base/suites/from-template', template)).status).toBe(201);
  const ledgers: Ledgers = {
    projects: new Ledger(),
    suites: new Ledger(),
    runs: new Set(),
    runsAttempted: 0,
  };
  const running = service.process;
  let call = await killAmidWrites(client(), ledgers, killEngine);
  expect(running.exitCode).toBeNull();
  for (const end of [killServiceAlone, stopService]) call = await killAmidWrites(call, ledgers, end);
  const runs = await expectConsistent(call, ledgers);

  // The end of the process that started the service ends the service, too.
  const pid = service.enginePid();
  service.process.disconnect();
  await eventually(() => service.process.exitCode !== null);
  expect(service.process.exitCode).toBe(0);
  expect(isAlive(pid)).toBe(false);
  expect(await usedRuns()).toBe(runs);
});
