import type { Table, TableOptions } from '../../../shared/storage/table/table.ts';
import { MemoryTable } from './memoryTable.ts';

const tables = new Map<string, Table>();

/** In place of `shared/storage/table/dynamoTable.ts`: the process's one table of that name. */
export function createTable({ name, now }: TableOptions): Table {
  const table = tables.get(name) ?? new MemoryTable(now);
  tables.set(name, table);
  return table;
}
