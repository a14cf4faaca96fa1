import { randomUUID } from 'node:crypto';
import { createTable } from '../storage/table/dynamoTable.ts';
import type { Table } from '../storage/table/table.ts';
import { type Config, readConfig } from './config.ts';
import { createLog, type Log } from './log.ts';

/** The parts that every function needs, built once per cold start. */
export interface Runtime {
  readonly config: Config;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly table: Table;
  /**
   * Whether a request comes from the service's own machine. Only `npm start` has it, where nothing leads other machines to it:
   * the session of a key does all there without the key again.
   */
  readonly isFromHere?: (sent: Connection) => boolean;
}

/** How a request came: header names are lower-case, `httpVersion` is such as `1.1`. */
interface Connection {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly httpVersion: string;
  readonly remoteAddress: string;
}

export function createRuntime(config: Config, overrides: Partial<Runtime> = {}): Runtime {
  const now = overrides.now ?? Date.now;
  return {
    config,
    log: createLog(config.logLevel),
    now,
    newId: randomUUID,
    table: createTable({ name: config.tableName, endpoint: config.dynamodbEndpoint, now }),
    ...overrides,
  };
}

let shared: Runtime | undefined;

/** `watch` counts where all functions share a process: the first call decides. */
export function runtimeFromEnv(watch = (runtime: Runtime): Runtime => runtime): Runtime {
  shared ??= watch(createRuntime(readConfig(process.env)));
  return shared;
}
