import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../shared/storage/table/dynamoTable.ts';
import { ensureTable } from '../../shared/storage/table/ensureTable.ts';
import { itemsBehind } from '../support/itemsBehind.ts';
import { MemoryTable } from '../support/memory/memoryTable.ts';
import { startEngineTable } from '../support/ownService.ts';
import type { Engine } from './settings.ts';

export interface Engines {
  /** In this process: a table costs nothing, and an operation microseconds. */
  inMemory(): Engine;
  /** The embedded engine, reached as the service reaches it. */
  embedded(): Engine;
  stop(): Promise<void>;
}

export async function startEngines(): Promise<Engines> {
  const own = await startEngineTable();
  const { vaultKeyFile } = own.folder;
  writeFileSync(vaultKeyFile, randomBytes(32), { mode: 0o600 });
  const { endpoint } = own;
  let tables = 0;
  return {
    inMemory: () => inMemory(endpoint, vaultKeyFile),
    embedded: () => embedded(endpoint, `faults-${++tables}`, vaultKeyFile),
    stop: () => own.stop(),
  };
}

function inMemory(endpoint: string, vaultKeyFile: string): Engine {
  let table: MemoryTable | undefined;
  return {
    ...{ endpoint, tableName: 'in-memory', vaultKeyFile },
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
    ...{ endpoint, tableName, vaultKeyFile },
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
