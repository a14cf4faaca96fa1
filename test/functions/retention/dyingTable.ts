import type { Table } from '../../../shared/storage/table/table.ts';

type Method = 'get' | 'getMany' | 'query' | 'update' | 'delete';

/** A function that dies at one of its operations: done or not, the answer never comes, and nothing follows it. */
export function dyingTable(table: Table, operations: number, isDone: boolean): Table {
  let left = operations;
  const dying =
    (method: Method) =>
    async (...args: unknown[]) => {
      left--;
      const act = table[method].bind(table) as (...args: unknown[]) => Promise<unknown>;
      if (left > 0) return act(...args);
      if (left === 0 && isDone) await act(...args);
      throw new Error('dead');
    };
  const methods = (['get', 'getMany', 'query', 'update', 'delete'] as const).map((name) => [
    name,
    dying(name),
  ]);
  return {
    ...Object.fromEntries(methods),
    now: table.now,
    backoff: table.backoff,
    consumed: () => table.consumed(),
  } as Table;
}
