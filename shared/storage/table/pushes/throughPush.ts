import type { Key } from '../keys.ts';
import type { Table } from '../table.ts';
import { pushIn } from './underWay.ts';

/** The table as it will be after the push that the head of a suite or project names, if there is one. */
export async function throughPush(table: Table, head: Key): Promise<Table> {
  const push = pushIn(await table.get(head));
  if (push === undefined) return table;
  // Few requests need them.
  const [{ readLog }, { readThrough }] = await Promise.all([import('./log.ts'), import('./readThrough.ts')]);
  const log = await readLog(table, { orgId: push.org_id, suiteId: push.suite_id, pushId: push.id });
  return log === undefined ? table : readThrough(table, log);
}
