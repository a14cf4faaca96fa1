import { retryOnConflict } from '../table/backoff.ts';
import type { ListAddress } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { appendToList, idsOf, readList, removeFromList } from './lists.ts';

type Failed = ReadonlyMap<string, Item | undefined>;

interface NewChild<Refusal> {
  readonly id: string;
  readonly list: ListAddress;
  readonly limit: number;
  readonly writes: Record<string, Write>;
  /** The meaning of a failed condition. Undefined: another writer came first. */
  readonly explain: (failed: Failed) => Refusal | 'created' | undefined;
}

/** Stores a child, and adds it to the end of its parent's list, together or not at all. */
export async function createListed<Refusal>(
  table: Table,
  child: NewChild<Refusal>,
): Promise<Refusal | 'created' | 'limit_reached'> {
  const { id, list, limit, writes, explain } = child;
  return retryOnConflict(async () => {
    const blocks = await readList(table, list);
    if (idsOf(blocks).length >= limit) return 'limit_reached';
    const outcome = await table.transact<string>({
      ...writes,
      list: appendToList(list, blocks, [id], limit),
    });
    return outcome.committed ? 'created' : explain(outcome.failed);
  }, table.backoff);
}

interface DeadChild {
  readonly id: string;
  readonly list: ListAddress;
  readonly writes: Record<string, Write>;
  readonly onFailure?: (failed: Failed) => void;
}

/** Deletes a child and takes it off its parent's list. False when the child or its parent is gone already. */
export async function deleteListed(table: Table, child: DeadChild): Promise<boolean> {
  const { id, list, writes, onFailure } = child;
  return retryOnConflict(async () => {
    const unlisted = removeFromList(list, await readList(table, list), id);
    if (unlisted === undefined) return false;
    const outcome = await table.transact<string>({ ...writes, ...unlisted });
    if (outcome.committed) return true;
    if ([...outcome.failed.keys()].every((name) => name in unlisted)) return undefined;
    onFailure?.(outcome.failed);
    return false;
  }, table.backoff);
}
