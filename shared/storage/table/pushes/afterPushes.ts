import { retryOnConflict } from '../backoff.ts';
import { type Key, suiteHeadKey, suiteKey } from '../keys.ts';
import type { Outcome, Table, TransactOptions, Write } from '../table.ts';
import { type PushUnderWay, pushIn } from './underWay.ts';

/** The table, where a transaction that meets a push under way finishes that push, and is sent again. */
export const afterPushes = (table: Table): Table => ({
  get: (...args) => table.get(...args),
  getMany: (...args) => table.getMany(...args),
  query: (...args) => table.query(...args),
  put: (...args) => table.put(...args),
  putIfAbsent: (...args) => table.putIfAbsent(...args),
  update: (...args) => table.update(...args),
  delete: (...args) => table.delete(...args),
  consumed: () => table.consumed(),
  backoff: (attempt) => table.backoff(attempt),
  transact: (writes, options) => transactAfterPushes(table, writes, options),
});

/** Writes out the push of a suite, if one is under way. A suite that was deleted has none. */
export async function settlePushOf(table: Table, orgId: string, suiteId: string): Promise<void> {
  const suite = await table.get(suiteKey(orgId, suiteId));
  if (suite !== undefined)
    await settlePushIn(table, suiteHeadKey(orgId, String(suite.slug), String(suite.project_id)));
}

/**
 * Finishes the push that the head of a suite or project names, if there is one. Finishing a push changes no revision:
 * a writer that only compares revisions must not write back a list that it read before.
 */
export async function settlePushIn(table: Table, head: Key): Promise<void> {
  const push = pushIn(await table.get(head));
  if (push !== undefined) await finishPush(table, push);
}

/** Few requests need what it takes. */
async function finishPush(table: Table, push: PushUnderWay): Promise<void> {
  const { finishPush: finish } = await import('./finishPush.ts');
  await finish(table, push);
}

const transactAfterPushes = <Name extends string>(
  table: Table,
  writes: Record<Name, Write>,
  options: TransactOptions | undefined,
): Promise<Outcome<Name>> =>
  retryOnConflict(async () => {
    const outcome = await table.transact(writes, options);
    const heads = outcome.committed ? [] : [...outcome.failed.values()];
    const push = heads.map(pushIn).find((found) => found !== undefined);
    if (push === undefined) return outcome;
    await finishPush(table, push);
    return undefined;
  }, table.backoff);
