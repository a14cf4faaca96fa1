import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Table } from '../../shared/storage/table/table.ts';
import type { Api } from '../../test/support/api.ts';
import { changePlan } from '../../test/support/changePlan.ts';
import { startEngineTable, TABLE_NAME } from '../../test/support/ownService.ts';
import { NODE } from '../../test/support/processes.ts';
import { type RunningService, startService } from '../../test/support/service.ts';
import { addressedApi, ORIGIN_SECRET } from './addressed.ts';

/** The service and the bare handler, each in its own process, on one engine. */
export interface BesideBare {
  readonly service: RunningService;
  readonly table: Table;
  /** Its organisation has a paid plan: Free ends at 500 runs a month. */
  readonly client: Api;
  /** A client of the bare handler with the same credential. */
  bareClient(headers: Record<string, string>): Api;
  readonly pids: { readonly service: number; readonly bare: number; readonly engine: number };
  stop(): Promise<void>;
}

const BARE_SERVER = path.join(import.meta.dirname, 'bareServer.ts');

async function startBare(endpoint: string) {
  const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', BARE_SERVER, endpoint, TABLE_NAME], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const failed = exited.then(([code]) => {
    throw new Error(`The bare handler did not start (exit code ${code})`);
  });
  const [baseUrl] = await Promise.race([once(child, 'message'), failed]);
  return {
    baseUrl: String(baseUrl),
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

export async function startBesideBare(): Promise<BesideBare> {
  const engine = await startEngineTable();
  const { endpoint, table, folder } = engine;
  const env = { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME, RATE_LIMITS: 'on', ORIGIN_SECRETS: ORIGIN_SECRET };
  const service = await startService({ env });
  const bare = await startBare(endpoint);
  const signedUp = await addressedApi(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Bench' });
  const { organisation, api_key } = signedUp.body.data;
  await changePlan(table, organisation.id, 'enterprise', Date.now());
  return {
    service,
    table,
    client: addressedApi(service.baseUrl, api_key.key),
    bareClient: (headers) => addressedApi(bare.baseUrl, api_key.key, headers),
    pids: {
      service: service.process.pid ?? 0,
      bare: bare.pid,
      engine: Number(readFileSync(folder.enginePidFile, 'utf8')),
    },
    async stop() {
      await bare.stop();
      await service.stop();
      await engine.stop();
    },
  };
}
