import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../shared/storage/table/dynamoTable.ts';
import { ensureTable } from '../../shared/storage/table/ensureTable.ts';
import { itemsBehind } from '../support/itemsBehind.ts';
import { MemoryTable } from '../support/memory/memoryTable.ts';
import { startEngineTable, startOwnTable } from '../support/ownService.ts';
import type { Engine } from './settings.ts';

export interface Engines {
  /** A new table for a play. */
  next(): Engine;
  stop(): Promise<void>;
}

/** In this process: a table costs nothing, and an operation microseconds. */
export async function enginesInMemory(): Promise<Engines> {
  const own = await startOwnTable();
  const { vaultKeyFile } = own.folder;
  return { next: () => inMemory(vaultKeyFile), stop: () => own.stop() };
}

/** The embedded engine, reached as the service reaches it. */
export async function embeddedEngines(): Promise<Engines> {
  const own = await startEngineTable();
  const { vaultKeyFile } = own.folder;
  let tables = 0;
  return {
    next: () => embedded(own.endpoint, `faults-${++tables}`, vaultKeyFile),
    stop: () => own.stop(),
  };
}

function inMemory(vaultKeyFile: string): Engine {
  let table: MemoryTable | undefined;
  return {
    endpoint: 'http://127.0.0.1:9',
    tableName: 'in-memory',
    vaultKeyFile,
    async open(now) {
      table = new MemoryTable(now);
      return table;
    },
    everyItem: async () => table?.items() ?? [],
    close: async () => {},
  };
}

function embedded(endpoint: string, tableName: string, vaultKeyFile: string): Engine {
  const client = new DynamoDBClient({ endpoint });
  return {
    endpoint,
    tableName,
    vaultKeyFile,
    async open(now) {
      await ensureTable({ endpoint, tableName });
      return createTable({ name: tableName, endpoint, now });
    },
    everyItem: () => itemsBehind(endpoint, tableName),
    async close() {
      await client.send(new DeleteTableCommand({ TableName: tableName }));
      client.destroy();
    },
  };
}
