import type { Table } from '../../../shared/storage/table/table.ts';

export type Dying = 'before' | 'after';

class Died extends Error {}

/** A table whose process dies before or after its n-th write: nothing reaches it any more. */
export function dyingTable(table: Table, step: number, when: Dying) {
  let writes = 0;
  const alive =
    <Args extends unknown[], T>(act: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (writes >= step) throw new Died();
      return act(...args);
    };
  const write =
    <Args extends unknown[], T>(act: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (writes >= step) throw new Died();
      writes++;
      if (writes >= step && when === 'before') throw new Died();
      const answer = await act(...args);
      if (writes >= step) throw new Died();
      return answer;
    };
  const dying: Table = {
    get: alive((...args: Parameters<Table['get']>) => table.get(...args)),
    getMany: alive((...args: Parameters<Table['getMany']>) => table.getMany(...args)),
    query: alive((...args: Parameters<Table['query']>) => table.query(...args)),
    put: write((...args: Parameters<Table['put']>) => table.put(...args)),
    putIfAbsent: write((...args: Parameters<Table['putIfAbsent']>) => table.putIfAbsent(...args)),
    update: write((...args: Parameters<Table['update']>) => table.update(...args)),
    delete: write((...args: Parameters<Table['delete']>) => table.delete(...args)),
    transact: write((...args: Parameters<Table['transact']>) => table.transact(...args)) as Table['transact'],
    consumed: () => table.consumed(),
    now: table.now,
    backoff: async () => {},
  };
  return { table: dying, writes: () => writes };
}
