import type { Table } from '../../../shared/storage/table/table.ts';

/** The table with some operations of a test's own. */
export const withOwn = <T extends Table>(table: T, own: Partial<Table>): T =>
  new Proxy(table, {
    get(real, name) {
      const member: unknown = Reflect.get(own, name) ?? Reflect.get(real, name);
      return typeof member === 'function' ? member.bind(real) : member;
    },
  });

interface Meeting {
  /** The first transactions that get a conflict. */
  readonly conflicts: number;
  readonly waits?: number[];
}

/** The table as it is to one that others come before. */
export function contended(table: Table, { conflicts, waits = [] }: Meeting): Table {
  let left = conflicts;
  const own = {
    transact: (writes: Parameters<Table['transact']>[0], options?: Parameters<Table['transact']>[1]) => {
      if (!options?.once || left-- <= 0) return table.transact(writes, options);
      return Promise.resolve({ committed: false, failed: new Map() });
    },
    backoff: async (attempt: number) => void waits.push(attempt),
  };
  return withOwn(table, own as Partial<Table>);
}
