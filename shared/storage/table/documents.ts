import { DAY_SECONDS } from '../../domain/time.ts';
import type { Key } from './keys.ts';
import { PK, TTL } from './keys.ts';
import type { Item, Write } from './table.ts';

/** How long a deleted item stays in the table, invisible, before the engine drops it. */
const TOMBSTONE_DAYS = 30;

export const seconds = (time: string): number => Math.floor(Date.parse(time) / 1_000);
const tombstoneExpiry = (deletedAt: string): number => seconds(deletedAt) + TOMBSTONE_DAYS * DAY_SECONDS;

export function putNew(key: Key, fields: Item): Write {
  return { Put: { Item: { ...key, ...fields }, ConditionExpression: `attribute_not_exists(${PK})` } };
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

/** JSON text keeps what DynamoDB's documents lose: `__proto__`, empty names, deep nesting. */
export const toText = (value: unknown): string => JSON.stringify(value);
export const fromText = (text: unknown): unknown => JSON.parse(String(text));

/** The 16 bytes of an id. */
export const uuidBytes = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

/** An id of its 32 hexadecimal digits. */
export const uuidOf = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
