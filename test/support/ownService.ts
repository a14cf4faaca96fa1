import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { type DataFolder, openDataFolder } from '../../infra/local/data/dataFolder.ts';
import { startEngine } from '../../infra/local/engine/engine.ts';
import { findEngine } from '../../infra/local/engine/engineCommand.ts';
import { provideFunctionEnvironment } from '../../infra/local/environment.ts';
import { type Handler, loadFunctions } from '../../infra/local/http/functions.ts';
import { startHttpServer } from '../../infra/local/http/httpServer.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import type { HttpHandler } from '../../shared/http/endpoint.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { createRuntime, type Runtime } from '../../shared/runtime/runtime.ts';
import { createTable } from '../../shared/storage/table/dynamoTable.ts';
import { ensureTable } from '../../shared/storage/table/ensureTable.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';
import { itemsBehind } from './itemsBehind.ts';
import { MemoryTable } from './memory/memoryTable.ts';
import { HANG_MS, temporaryFolder } from './service.ts';

export const TABLE_NAME = 'evalgate-test';

export interface OwnTable {
  readonly folder: DataFolder;
  readonly table: Table;
  /** All stored items, including deleted and expired ones. */
  items(): Promise<Item[]>;
  stop(): Promise<void>;
}

export interface EngineTable extends OwnTable {
  readonly endpoint: string;
}

/** What a service without an engine is given: a closed port. */
const NO_ENDPOINT = 'http://127.0.0.1:9';

function newFolder(): DataFolder {
  const folder = openDataFolder(temporaryFolder());
  writeFileSync(folder.vaultKeyFile, randomBytes(32), { mode: 0o600 });
  return folder;
}

/** A table in memory that belongs to one test file. */
export async function startOwnTable(now: () => number = Date.now): Promise<OwnTable> {
  const folder = newFolder();
  provideFunctionEnvironment({ tableName: TABLE_NAME, endpoint: NO_ENDPOINT, embedded: true });
  const table = new MemoryTable(now);
  return {
    folder,
    table,
    items: async () => table.items(),
    stop: async () => rmSync(folder.path, { recursive: true, force: true }),
  };
}

/** The same on an embedded engine of its own: for what only an engine shows, such as request units and a second client. */
export async function startEngineTable(now: () => number = Date.now): Promise<EngineTable> {
  const folder = newFolder();
  const engine = await startEngine(folder, findEngine(undefined));
  const { endpoint } = engine;
  provideFunctionEnvironment({ tableName: TABLE_NAME, endpoint, embedded: true });
  await ensureTable({ endpoint, tableName: TABLE_NAME });
  return {
    folder,
    endpoint,
    table: createTable({ name: TABLE_NAME, endpoint, now }),
    items: () => itemsBehind(endpoint, TABLE_NAME),
    async stop() {
      await engine.stop();
      rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

export interface LogLine {
  readonly code: string;
  readonly [field: string]: unknown;
}

export interface OwnService {
  readonly baseUrl: string;
  readonly table: Table;
  /** All stored items, including deleted and expired ones. */
  items(): Promise<Item[]>;
  /** What time it is for the service: a test may move it. */
  readonly clock: { ms: number | undefined };
  readonly log: LogLine[];
  /** What the handlers are made of: for those that HTTP does not reach. */
  readonly runtime: Runtime;
  stop(): Promise<void>;
}

export interface EngineService extends OwnService {
  /** Of the engine. */
  readonly endpoint: string;
}

type Settings = Readonly<Record<string, string>>;
type ComposedHandler = HttpHandler & { withRuntime(runtime: Runtime, dependencies?: object): HttpHandler };

/** The deployable handlers over HTTP in this process, on a table in memory, with a clock to move and a log to read. */
export async function startOwnService(settings: Settings = {}): Promise<OwnService> {
  const clock: OwnService['clock'] = { ms: undefined };
  const own = await startOwnTable(() => clock.ms ?? Date.now());
  const service = await serveOn(own, { clock, settings });
  return stoppingAlso(service, own);
}

/** The same on the embedded engine. */
export async function startEngineService(settings: Settings = {}): Promise<EngineService> {
  const clock: OwnService['clock'] = { ms: undefined };
  const own = await startEngineTable(() => clock.ms ?? Date.now());
  const { endpoint } = own;
  const service = await serveOn(own, { clock, endpoint, settings });
  return { ...stoppingAlso(service, own), endpoint };
}

const stoppingAlso = (service: OwnService, own: OwnTable): OwnService => ({
  ...service,
  async stop() {
    await service.stop();
    await own.stop();
  },
});

interface Served {
  readonly clock?: OwnService['clock'];
  readonly endpoint?: string;
  readonly settings?: Settings;
  /** In place of those that the settings stand for. */
  readonly dependencies?: object;
}

/** Its end leaves the table. */
export async function serveOn(
  own: OwnTable,
  { clock = { ms: undefined }, endpoint = NO_ENDPOINT, settings = {}, dependencies }: Served,
): Promise<OwnService> {
  const { folder, table } = own;
  const now = () => clock.ms ?? Date.now();
  const lines: LogLine[] = [];
  const log: Log = (level, code, fields) => void lines.push({ level, code, ...fields });
  const config = readConfig({
    TABLE_NAME,
    DYNAMODB_ENDPOINT: endpoint,
    VAULT_KEY_FILE: folder.vaultKeyFile,
    // A closed port: what these tests run needs no evaluator.
    SQS_ENDPOINT: 'http://127.0.0.1:9',
    QUEUE_URL: 'http://127.0.0.1:9/000000000000/evaluations',
    RATE_LIMITS: 'off',
    // A machine that is busy with tests is not a table that fails.
    RATE_LIMIT_WAIT_MS: '10000',
    ...settings,
  });
  const runtime = createRuntime(config, { table, now, log, newId: randomUUID });
  const loaded = [...(await loadFunctions(contracts))].map(([id, handler]): [string, Handler] => [
    id,
    (handler as ComposedHandler).withRuntime(runtime, dependencies),
  ]);
  const functions = new Map(loaded);
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    contracts,
    functions,
    handlerTimeoutMs: HANG_MS,
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    table,
    items: own.items,
    clock,
    log: lines,
    runtime,
    stop: () => server.stop(),
  };
}

export interface Cost {
  readonly read: number;
  readonly write: number;
}

/** What one call cost, as the service's own log line for it says: only the engine counts units. */
export async function costOf({ log }: EngineService, call: () => Promise<unknown>): Promise<Cost> {
  const before = log.length;
  await call();
  const line = log.slice(before).find(({ code }) => code === 'request_completed');
  return { read: Number(line?.read_units), write: Number(line?.write_units) };
}
