import { retryOnConflict } from '../table/backoff.ts';
import type { Key } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { appendToList } from './lists.ts';

interface NewChild<Refusal> {
  readonly id: string;
  readonly list: Key;
  readonly limit: number;
  readonly writes: Record<string, Write>;
  /** The meaning of a failed condition. Undefined: the list is full, or the transaction met another one. */
  readonly explain: (failed: ReadonlyMap<string, Item | undefined>) => Refusal | 'created' | undefined;
}

/** Stores a child, and adds it to the end of its parent's list, together or not at all. */
export async function createListed<Refusal>(
  table: Table,
  { id, list, limit, writes, explain }: NewChild<Refusal>,
): Promise<Refusal | 'created' | 'limit_reached'> {
  return retryOnConflict(async () => {
    const outcome = await table.transact<string>({ ...writes, list: appendToList(list, id, limit) });
    if (outcome.committed) return 'created';
    return explain(outcome.failed) ?? (outcome.failed.has('list') ? 'limit_reached' : undefined);
  }, table.backoff);
}
