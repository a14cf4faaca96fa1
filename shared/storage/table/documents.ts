import { DAY_SECONDS } from '../../domain/time.ts';
import { retryOnConflict } from './backoff.ts';
import type { Key } from './keys.ts';
import { PK, TTL } from './keys.ts';
import type { Item, Table, Write } from './table.ts';

/** How long a deleted item stays in the table, invisible, before the engine drops it. */
const TOMBSTONE_DAYS = 30;

export const seconds = (at: string): number => Math.floor(Date.parse(at) / 1_000);
const tombstoneExpiry = (deletedAt: string): number => seconds(deletedAt) + TOMBSTONE_DAYS * DAY_SECONDS;

export function putNew(key: Key, fields: Item): Write {
  return { Put: { Item: { ...key, ...fields }, ConditionExpression: `attribute_not_exists(${PK})` } };
}

export function requireItem(key: Key): Write {
  return { ConditionCheck: { Key: key, ConditionExpression: `attribute_exists(${PK})` } };
}

/** Hides the item at once, and erases the named fields. Fails its condition when the item is gone already. */
export function softDelete(
  key: Key,
  deletedAt: string,
  { erasing = [] }: { erasing?: readonly string[] } = {},
): Write {
  const erase = erasing.length > 0 ? ` REMOVE ${erasing.join(', ')}` : '';
  return {
    Update: {
      Key: key,
      UpdateExpression: `SET deleted_at = :at, ${TTL} = :ttl${erase}`,
      ConditionExpression: `attribute_exists(${PK}) AND attribute_not_exists(deleted_at)`,
      ExpressionAttributeValues: { ':at': deletedAt, ':ttl': tombstoneExpiry(deletedAt) },
    },
  };
}

interface Replacement<T, Refusal> {
  readonly key: Key;
  readonly read: (item: Item) => T | Promise<T>;
  readonly write: (value: T) => Item;
  /** The same object: nothing is written. */
  readonly change: (value: T) => T | Promise<T>;
  /** Writes of the same transaction. `item` is the item that is replaced. */
  readonly alongside?: (changed: T, item: Item) => Record<string, Write>;
  /** What it means that writes alongside failed. Undefined: something is gone. */
  readonly refusal?: (failed: ReadonlyMap<string, Item | undefined>) => Refusal | undefined;
}

/** Repeated when another writer came first. Undefined when the item, or one written alongside, is gone. */
export async function replaceDocument<T, Refusal = never>(
  table: Table,
  replacement: Replacement<T, Refusal>,
): Promise<T | Refusal | undefined> {
  const { key, read, write, change, alongside, refusal } = replacement;
  const settled = await retryOnConflict(async () => {
    const item = await table.get(key);
    if (item === undefined) return { value: undefined };
    const value = await read(item);
    const changed = await change(value);
    if (changed === value) return { value };
    const version = Number(item.version);
    const outcome = await table.transact<string>({
      document: {
        Put: {
          Item: { ...key, ...write(changed), version: version + 1 },
          ConditionExpression: 'version = :version AND attribute_not_exists(deleted_at)',
          ExpressionAttributeValues: { ':version': version },
        },
      },
      ...alongside?.(changed, item),
    });
    if (outcome.committed) return { value: changed };
    return outcome.failed.has('document') ? undefined : { value: refusal?.(outcome.failed) };
  }, table.backoff);
  return settled.value;
}

/** JSON text keeps what DynamoDB's documents lose: `__proto__`, empty names, deep nesting. */
export const toText = (value: unknown): string => JSON.stringify(value);
export const fromText = (text: unknown): unknown => JSON.parse(String(text));

/** The 16 bytes of an id. */
export const uuidBytes = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

/** An id of its 32 hexadecimal digits. */
export const uuidOf = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
