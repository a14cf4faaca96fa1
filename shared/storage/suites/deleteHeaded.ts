import type { Chain, Position } from '../../domain/revisions/ports.ts';
import { deleteListed } from '../lists/listMembers.ts';
import { purgeDue } from '../purge/purges.ts';
import { idField, keysOf } from '../revisions/revisions.ts';
import { retryOnConflict } from '../table/backoff.ts';
import type { ListAddress } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';

interface Deletion {
  readonly deletedAt: string;
  /** It is deleted only if this is in force. */
  readonly at?: Position | undefined;
  readonly list: ListAddress;
  /** Of the same transaction. */
  readonly writes: Record<string, Write>;
}

/** Deletes the head of a suite or project: it is gone at once, and a purge is due of what it had. */
export async function deleteHeaded(
  table: Table,
  chain: Chain,
  { deletedAt, at, list, writes }: Deletion,
): Promise<'deleted' | 'changed' | 'gone'> {
  const { id } = chain;
  const { head: Key } = keysOf(chain);
  const field = idField(chain);
  return retryOnConflict(async () => {
    const head = await table.get(Key);
    if (head?.[field] !== id) return 'gone';
    if (at !== undefined && head.n !== at.n) return 'changed';
    let isThere = false;
    const isDeleted = await deleteListed(table, {
      id,
      list,
      writes: {
        ...writes,
        head: {
          Delete: {
            Key,
            ConditionExpression: `${field} = :id AND n = :n`,
            ExpressionAttributeValues: { ':id': id, ':n': head.n },
          },
        },
        purge: purgeDue(chain, deletedAt, head),
      },
      onFailure: (failed) => {
        isThere = failed.get('head')?.[field] === id;
      },
    });
    if (isDeleted) return 'deleted';
    return isThere ? undefined : 'gone';
  }, table.backoff);
}
