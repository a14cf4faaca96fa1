import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Run } from '../../shared/contracts/runs.ts';
import { createTable } from '../../shared/storage/table/dynamoTable.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import { type Api, api } from './api.ts';
import { type Providers, startProviders } from './providers.ts';
import { type RunningService, startService, temporaryFolder } from './service.ts';
import { usedRuns as usedRunsOf } from './usage.ts';

type Environment = Readonly<Record<string, string>>;

/** Longer than a chunk or a judge slot stays with an evaluator that died. */
const LATER_MS = 120_000;

/** Whatever engine the tests' own process uses. */
const OWN_ENGINE = { DYNAMODB_ENDPOINT: '', TABLE_NAME: '' };

/** The service with stand-ins for the model providers. */
export interface Stage {
  readonly providers: Providers;
  /** The one that runs now. */
  readonly service: { readonly baseUrl: string };
  /** The service's own table. */
  readonly table: Table;
  /** Calls whichever service runs now, as the same organisation. */
  as(key: string): Api;
  stop(): Promise<void>;
}

/** As a process, on a data folder that outlives it: for its start and its death. Else see `startOwnStage`. */
export interface ProcessStage extends Stage {
  readonly dataDir: string;
  readonly service: RunningService;
  /** Ends the service in the given way and starts it again, two minutes later by its clock. */
  restart(how: 'SIGTERM' | 'SIGKILL', env?: Environment): Promise<void>;
}

/** Some settings name an address of the stand-ins. */
export async function startStage(
  settings: Environment | ((providers: Providers) => Environment) = {},
): Promise<ProcessStage> {
  const providers = await startProviders();
  const env = typeof settings === 'function' ? settings(providers) : settings;
  const dataDir = temporaryFolder();
  const start = (extra: Environment = {}) =>
    startService({ dataDir, env: { ...OWN_ENGINE, ...providers.env, ...env, ...extra } });
  let service = await start();
  let table = tableOf(service);
  let restarts = 0;
  return {
    providers,
    dataDir,
    get service() {
      return service;
    },
    get table() {
      return table;
    },
    as: (key) => (method, route, body, headers) => api(service.baseUrl, key)(method, route, body, headers),
    async restart(how, extra = {}) {
      await service.stop(how);
      restarts++;
      const clock = { TEST_CLOCK_AHEAD_MS: String(restarts * LATER_MS), NODE_OPTIONS: OTHER_CLOCK };
      service = await start({ ...clock, ...extra });
      table = tableOf(service);
    },
    async stop() {
      await service.stop();
      await providers.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const OTHER_CLOCK = `--import=${path.join(import.meta.dirname, 'otherClock.ts')}`;

/** The engine's address as its command line has it. */
function tableOf(service: RunningService): Table {
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  Object.assign(process.env, { AWS_REGION: 'local', ...credentials });
  const words = readFileSync(`/proc/${service.enginePid()}/cmdline`, 'utf8').split('\0');
  const endpoint = `http://127.0.0.1:${words[words.indexOf('--port') + 1]}`;
  return createTable({ name: 'evalgate', endpoint, now: Date.now });
}

/** An organisation of its own, whose calls go on after a restart. */
export async function newClient(stage: Stage, name = 'Test organisation') {
  const answer = await api(stage.service.baseUrl)('POST', '/v1/auth/signup', { name });
  const { organisation, api_key } = answer.body.data;
  return { client: stage.as(api_key.key), orgId: String(organisation.id), apiKey: String(api_key.key) };
}

export const usedRuns = (stage: Stage, orgId: string): Promise<number> => usedRunsOf(stage.table, orgId);

const POLL_MS = 50;

/** The run as soon as it is no longer pending; the test's own timeout is the limit. */
export async function ended(client: Api, runId: string): Promise<Run> {
  for (;;) {
    const answer = await client('GET', `/v1/runs/${runId}`);
    if (answer.status !== 200) throw new Error(`GET run: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.body.data.status !== 'pending') return answer.body.data;
    await delay(POLL_MS);
  }
}

/** Sends a run that is to be evaluated later and answers its id. */
export async function submit(client: Api, body: object): Promise<string> {
  const answer = await client('POST', '/v1/run', { async: true, ...body });
  if (answer.status !== 202) throw new Error(`submitting: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}
