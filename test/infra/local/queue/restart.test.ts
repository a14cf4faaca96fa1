import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDataFolder } from '../../../../infra/local/data/dataFolder.ts';
import { GOOD_OUTPUT } from '../../../../infra/local/demo.ts';
import { startEngine } from '../../../../infra/local/engine/engine.ts';
import { findEngine } from '../../../../infra/local/engine/engineCommand.ts';
import { type Api, type ApiAnswer, api } from '../../../support/api.ts';
import { itemsBehind } from '../../../support/itemsBehind.ts';
import { TABLE_NAME } from '../../../support/ownService.ts';
import { type OwnQueues, provideLocalCredentials, startOwnQueues } from '../../../support/queues.ts';
import { eventually, type RunningService, startService, temporaryFolder } from '../../../support/service.ts';
import { firstOf } from '../../../support/soak.ts';

type Wire = ApiAnswer['body'];

const RUNS = 8;
const TEMPLATE = { template_slug: 'json-schema-extraction', slug: 'base' };
const TEMPLATE_CASES = 8;
const ENV = { TABLE_NAME };

let dataDir: string;
let service: RunningService;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(async () => {
  await service.kill9();
  rmSync(dataDir, { recursive: true, force: true });
});

const client = (): Api => api(service.baseUrl, service.apiKey);

async function makeSuite(): Promise<Wire> {
  expect((await client()('POST', '/v1/projects', { name: 'Base', slug: 'base' })).status).toBe(201);
  const { status, body } = await client()('POST', '/v1/projects/base/suites/from-template', TEMPLATE);
  expect(status).toBe(201);
  return body.data;
}

/** The id of a run that was accepted; undefined when the service was gone before it said so. */
async function accept(call: Api): Promise<string | undefined> {
  try {
    const { status, body } = await call('POST', '/v1/run', {
      suite: 'base',
      output: GOOD_OUTPUT,
      async: true,
    });
    expect(status).toBe(202);
    expect(body.status).toBe('pending');
    return body.id;
  } catch (error) {
    if (String(error) === 'TypeError: fetch failed') return undefined;
    throw error;
  }
}

const read = async (id: string): Promise<Wire> => (await client()('GET', `/v1/runs/${id}`)).body.data;

const hasEnded = async (id: string): Promise<boolean> => (await read(id)).status !== 'pending';

const runsOf = async (suite: { id: string }): Promise<Wire[]> =>
  (await client()('GET', `/v1/suites/${suite.id}/runs?pageSize=100`)).body.data;

async function resultsOf(id: string): Promise<Wire[]> {
  const { body } = await client()('GET', `/v1/runs/${id}/results`);
  return body.data.map(({ id: _, duration_ms: __, run_id, ...result }: Wire) => {
    expect(run_id).toBe(id);
    return result;
  });
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

describe.each([
  ['kill -9', () => service.kill9()],
  ['a stop', () => service.stop()],
])('runs that were accepted before %s', (_what, end) => {
  const MOMENTS: [string, number][] = [
    ['while they were being evaluated', 3],
    ['before any of them was evaluated', 0],
  ];
  test.each(firstOf(1, MOMENTS))(
    '%s conclude after the restart: once, with every result, and counted once',
    async (_when, ended) => {
      service = await startService({ dataDir, env: ENV });
      const suite = await makeSuite();
      const call = client();
      const accepting = Array.from({ length: RUNS }, () => accept(call));
      await Promise.race(accepting);
      await eventually(async () => {
        return (await runsOf(suite)).filter(({ status }) => status !== 'pending').length >= ended;
      });
      await end();
      const accepted = (await Promise.all(accepting)).filter((id) => id !== undefined);
      expect(accepted.length).toBeGreaterThan(0);

      service = await startService({ dataDir, env: ENV });
      await eventually(async () => (await runsOf(suite)).every(({ status }) => status !== 'pending'));

      const runs = await runsOf(suite);
      expect(runs.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));
      const sync = await client()('POST', '/v1/run', { suite: 'base', output: GOOD_OUTPUT });
      expect(sync.body.status).toBe('cleared');
      const expected = await resultsOf(sync.body.id);
      expect(expected).toHaveLength(TEMPLATE_CASES);
      for (const run of runs) {
        expect(run).toMatchObject({ status: 'cleared', total_cases: TEMPLATE_CASES, errored_cases: 0 });
        expect(await resultsOf(run.id)).toEqual(expected);
      }
      await service.stop();
      expect(await usedRuns()).toBe(runs.length + 1);
    },
  );
});

describe('a service with an external SQS engine', () => {
  let queues: OwnQueues;
  beforeEach(async () => {
    queues = await startOwnQueues();
  });
  afterEach(() => queues.stop());

  test.each([
    ['makes its queues there', false],
    ['uses the queue that QUEUE_URL names', true],
  ])('%s', async (_what, named) => {
    const env = { SQS_ENDPOINT: queues.endpoint, ...(named && { QUEUE_URL: queues.runs.url }) };
    service = await startService({ dataDir, env });
    await makeSuite();
    const id = await accept(client());
    await eventually(() => hasEnded(id!));
    expect((await read(id!)).status).toBe('cleared');
    const made = await fetch(`${queues.endpoint}/_fauxqs/queues/evalgate-runs`);
    expect(made.status).toBe(named ? 404 : 200);
  });
});
