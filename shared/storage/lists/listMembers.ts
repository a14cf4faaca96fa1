import type { Created } from '../../domain/ports.ts';
import { retryOnConflict } from '../table/backoff.ts';
import type { ListAddress } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { meetsTakenKey } from './heldKeys.ts';
import { appendToList, idsOf, readList, removeFromList } from './lists.ts';

interface NewChild {
  readonly id: string;
  readonly list: ListAddress;
  readonly limit: number;
  readonly writes: Record<string, Write> | (() => Promise<Record<string, Write>>);
  /** The meaning of a failed condition. Undefined: another writer came first. */
  readonly explain: (failed: ReadonlyMap<string, Item | undefined>) => Created | undefined;
}

/** Stores a child, and adds it to the end of its parent's list, together or not at all. */
export async function createListed(table: Table, child: NewChild): Promise<Created> {
  const { id, list, limit, writes, explain } = child;
  return retryOnConflict(async () => {
    const blocks = await readList(table, list);
    if (idsOf(blocks).length >= limit) return 'limit_reached';
    const outcome = await table.transact<string>({
      ...(typeof writes === 'function' ? await writes() : writes),
      list: appendToList(list, blocks, [id], limit),
    });
    return outcome.committed ? 'created' : explain(outcome.failed);
  }, table.backoff);
}

/** A `head` under the slug that is of the same child was written by this write, whose answer got lost. */
export function explainHead(id: string, idField: string) {
  return (failed: ReadonlyMap<string, Item | undefined>): Created | undefined => {
    if (failed.has('parent')) return 'parent_gone';
    if (failed.has('head')) return failed.get('head')?.[idField] === id ? 'created' : 'slug_taken';
    return meetsTakenKey(failed) ? 'key_taken' : undefined;
  };
}

interface DeadChild {
  readonly id: string;
  readonly list: ListAddress;
  readonly writes: Record<string, Write> | (() => Promise<Record<string, Write> | undefined>);
  /** Whether a write failed only because another writer changed the child meanwhile. */
  readonly isChanged?: (name: string, item: Item | undefined) => boolean;
}

/** Deletes a child and takes it off its parent's list. False when the child or its parent is gone already. */
export async function deleteListed(table: Table, child: DeadChild): Promise<boolean> {
  const { id, list, writes, isChanged = () => false } = child;
  return retryOnConflict(async () => {
    const unlisted = removeFromList(list, await readList(table, list), id);
    const others = typeof writes === 'function' ? await writes() : writes;
    if (unlisted === undefined || others === undefined) return false;
    const outcome = await table.transact<string>({ ...others, ...unlisted });
    if (outcome.committed) return true;
    const mayTryAgain = [...outcome.failed].every(
      ([name, item]) => name in unlisted || isChanged(name, item),
    );
    return mayTryAgain ? undefined : false;
  }, table.backoff);
}
