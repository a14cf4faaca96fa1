import type { Scheduler } from 'fast-check';
import type { Table } from '../../shared/storage/table/table.ts';
import type { MemoryTable } from './memory/memoryTable.ts';

/** The same table, whose operations take place in the order that the scheduler draws. */
export function interleaved(table: MemoryTable, scheduler: Scheduler, written = () => {}): Table {
  const drawn =
    <Args extends unknown[], T>(operation: (...args: Args) => Promise<T>) =>
    (...args: Args) =>
      scheduler
        .schedule(Promise.resolve())
        .then(() => operation.apply(table, args))
        .finally(written);
  return {
    get: drawn(table.get),
    getMany: drawn(table.getMany),
    query: drawn(table.query),
    put: drawn(table.put),
    putIfAbsent: drawn(table.putIfAbsent),
    update: drawn(table.update),
    delete: drawn(table.delete),
    transact: drawn(table.transact) as Table['transact'],
    consumed: table.consumed,
    now: table.now,
    backoff: table.backoff,
  };
}
