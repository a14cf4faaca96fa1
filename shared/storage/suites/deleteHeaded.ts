import type { Chain, Position } from '../../domain/revisions/ports.ts';
import { readList, removeFromList } from '../lists/lists.ts';
import { purgeDue } from '../purge/purges.ts';
import { idField, isInForce, keysOf } from '../revisions/revisions.ts';
import { retryOnConflict } from '../table/backoff.ts';
import type { Key } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

interface Deletion {
  readonly deletedAt: string;
  /** It is deleted only if this is in force. */
  readonly at?: Position | undefined;
  readonly list: Key;
  /** Kept with the head until everything is dropped. */
  readonly kept?: Item;
  /** Of the same transaction. */
  readonly writes: () => Promise<Record<string, Write>>;
}

/** Deletes the head of a suite or project: it is gone at once, and a purge is due of what it had. */
export async function deleteHeaded(
  table: Table,
  chain: Chain,
  { deletedAt, at: expected, list, kept, writes }: Deletion,
): Promise<'deleted' | 'changed' | 'gone'> {
  const { id } = chain;
  const { head: key } = keysOf(chain);
  const field = idField(chain);
  return retryOnConflict(async () => {
    const [head, ids] = await Promise.all([table.get(key), readList(table, list)]);
    if (head?.[field] !== id) return 'gone';
    if (expected !== undefined && head.n !== expected.n) return 'changed';
    const unlisted = removeFromList(list, ids, id);
    // It was deleted between the two reads.
    if (unlisted === undefined) return undefined;
    const isAsRead = isInForce(chain, { n: Number(head.n) });
    const { committed } = await table.transact<string>({
      ...(await writes()),
      head: { Delete: { Key: key, ...isAsRead } },
      list: unlisted,
      purge: purgeDue(chain, deletedAt, { ...kept, head }),
    });
    return committed ? 'deleted' : undefined;
  }, table.backoff);
}
