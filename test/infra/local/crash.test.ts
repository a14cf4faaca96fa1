import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { GOOD_OUTPUT } from '../../../infra/local/demo.ts';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import {
  eventually,
  isAlive,
  type RunningService,
  startService,
  temporaryFolder,
} from '../../support/service.ts';
import { sized } from '../../support/soak.ts';

type Wire = ApiAnswer['body'];

const ROUNDS = sized(1, 4);
const WRITERS = 6;
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
  /** By run id: its own place in the ledger is only known once it is acknowledged. */
  readonly runs: Map<string, { total_cases: number }>;
  runsAttempted: number;
}

async function attempt(call: Promise<ApiAnswer>): Promise<ApiAnswer | undefined> {
  try {
    const answer = await call;
    // While the engine is down the service may fail, but only as declared.
    expect([200, 201, 500]).toContain(answer.status);
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

    ledgers.runsAttempted++;
    const run = await attempt(call('POST', '/v1/run', { suite: 'base', output: GOOD_OUTPUT }));
    if (run) ledgers.runs.set(run.body.id, run.body);
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

/** Nothing acknowledged is missing, and what is visible is whole. */
async function expectConsistent(call: Api, ledgers: Ledgers): Promise<void> {
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
  const runs = await listAll(call, `/v1/suites/${base.id}/runs`);
  const runIds = new Set(runs.map(({ id }) => id));
  expect(runIds.size).toBe(runs.length);
  expect(runs.length).toBeLessThanOrEqual(ledgers.runsAttempted);
  for (const id of ledgers.runs.keys()) expect(runIds).toContain(id);
  for (const run of runs) {
    expect(run).toMatchObject({ status: 'cleared', total_cases: TEMPLATE_CASES });
    expect((await call('GET', `/v1/runs/${run.id}`)).body.data).toEqual(run);
    const results = await call('GET', `/v1/runs/${run.id}/results`);
    expect(results.body.data).toHaveLength(TEMPLATE_CASES);
  }
}

/** Kills in the middle of writes, round after round, and looks at what is there afterwards. */
async function crashRounds(crash: () => Promise<Api>): Promise<void> {
  let call = api(service.baseUrl, service.apiKey);
  const template = { template_slug: TEMPLATE, slug: 'base' };
  expect((await call('POST', '/v1/projects', { name: 'Base', slug: 'base' })).status).toBe(201);
  expect((await call('POST', '/v1/projects/base/suites/from-template', template)).status).toBe(201);
  const ledgers: Ledgers = {
    projects: new Ledger(),
    suites: new Ledger(),
    runs: new Map(),
    runsAttempted: 0,
  };
  for (let round = 0; round < ROUNDS; round++) {
    let done = false;
    const writers = Array.from({ length: WRITERS }, () => writeUntil(() => done, call, ledgers));
    const before = ledgers.runs.size;
    await eventually(() => ledgers.runs.size > before + round);
    await delay(10 * round);
    call = await crash();
    done = true;
    await Promise.all(writers);
    expect((await call('GET', '/health')).status).toBe(200);
    expect((await call('POST', '/v1/run', { suite: 'base', output: GOOD_OUTPUT })).status).toBe(200);
    ledgers.runsAttempted++;
  }
  await expectConsistent(call, ledgers);
}

test('kill -9 of the engine amid writes: it is back, nothing acknowledged is missing, nothing is half-written', async () => {
  service = await startService({ dataDir });
  const call = api(service.baseUrl, service.apiKey);
  await crashRounds(async () => {
    const pid = service.enginePid();
    process.kill(pid, 'SIGKILL');
    await eventually(() => service.enginePid() !== pid);
    await eventually(async () => (await call('GET', '/v1/projects')).status === 200);
    return call;
  });
  expect(service.process.exitCode).toBeNull();
});

test('kill -9 of the service amid writes: its engine ends too, and the next start has all that was acknowledged', async () => {
  service = await startService({ dataDir });
  const firstKey = service.apiKey;
  await crashRounds(async () => {
    const pid = service.enginePid();
    await service.kill9();
    service = await startService({ dataDir });
    expect(isAlive(pid)).toBe(false);
    expect(service.apiKey).toBe(firstKey);
    return api(service.baseUrl, service.apiKey);
  });
});

test('an engine that outlived its service is ended before the next one starts on its database', async () => {
  service = await startService({ dataDir });
  const pid = service.enginePid();
  // Stopped, neither the watcher nor the engine can act on the end of the service at once.
  process.kill(-pid, 'SIGSTOP');
  await service.kill9();
  service = await startService({ dataDir });
  expect(isAlive(pid)).toBe(false);
  expect(service.enginePid()).not.toBe(pid);
});

test('the end of the process that started the service ends the service, however it came', async () => {
  service = await startService({ dataDir });
  const pid = service.enginePid();
  service.process.disconnect();
  await eventually(() => service.process.exitCode !== null);
  expect(service.process.exitCode).toBe(0);
  expect(isAlive(pid)).toBe(false);
});
