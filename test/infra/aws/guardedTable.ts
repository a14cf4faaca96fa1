import type { TableAction } from '../../../infra/aws/rights.ts';
import type { Table, Write } from '../../../shared/storage/table.ts';

const ACTION_OF_WRITE: Readonly<Record<keyof Write, TableAction>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** The table as IAM lets a function use it: an action that is not allowed is refused. */
export function guardedTable(table: Table, allowed: readonly TableAction[], functionId: string): Table {
  function check(...actions: readonly TableAction[]): void {
    const refused = actions.find((action) => !allowed.includes(action));
    if (refused) throw new Error(`AccessDenied: ${functionId} has no right to dynamodb:${refused}`);
  }
  const guarded = <Arguments extends unknown[], Answer>(
    action: TableAction,
    act: (...args: Arguments) => Promise<Answer>,
  ) => {
    return async (...args: Arguments): Promise<Answer> => {
      check(action);
      return act.apply(table, args);
    };
  };
  return {
    get: guarded('GetItem', table.get),
    getMany: guarded('BatchGetItem', table.getMany),
    query: guarded('Query', table.query),
    put: guarded('PutItem', table.put),
    putIfAbsent: guarded('PutItem', table.putIfAbsent),
    update: guarded('UpdateItem', table.update),
    delete: guarded('DeleteItem', table.delete),
    async transact(writes) {
      const kinds = Object.values<Write>(writes).flatMap((write) => Object.keys(write) as (keyof Write)[]);
      check(...kinds.map((kind) => ACTION_OF_WRITE[kind]));
      return table.transact(writes);
    },
    consumed: () => table.consumed(),
    backoff: table.backoff,
  };
}
