import type { Table } from '../../shared/storage/table/table.ts';

class Death extends Error {}

/** The table as a process sees it that dies at its write of this number: done or not, nothing follows it. */
export function dyingAt(table: Table, { write, isDone }: { write: number; isDone: boolean }): Table {
  let writes = 0;
  const dying =
    (act: (...parameters: never[]) => Promise<unknown>) =>
    async (...parameters: never[]): Promise<unknown> => {
      writes++;
      if (writes > write || (writes === write && !isDone)) throw new Death();
      const answer = await act.apply(table, parameters);
      if (writes === write) throw new Death();
      return answer;
    };
  return Object.assign(Object.create(table) as Table, {
    get: table.get.bind(table),
    getMany: table.getMany.bind(table),
    query: table.query.bind(table),
    put: dying(table.put),
    update: dying(table.update),
    delete: dying(table.delete),
    transact: dying(table.transact),
  });
}

export const unlessDead = (error: unknown): void => {
  if (!(error instanceof Death)) throw error;
};
