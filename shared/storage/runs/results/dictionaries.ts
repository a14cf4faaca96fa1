import { BoundedCache } from '../../../domain/caches/boundedCache.ts';
import { dictionaryExpiry } from '../../table/expiry.ts';
import { dictionaryKey, IS_FINAL, type Key, PK, TTL } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { packDictionary, unpackDictionary } from './packing.ts';

const CACHE_BYTES_MAX = 16 * 1_024 * 1_024;

export interface DictionaryPlace {
  readonly orgId: string;
  readonly suiteId: string;
  readonly revision: string;
  readonly chunk: number;
}

interface Known {
  readonly bytes: Buffer;
  /** In seconds since 1970. */
  readonly expiresAt: number;
}

export const dictionaryName = (revision: string): string => `v2.${revision}`;
/** Of the texts that belong to such a dictionary. */
export const textsName = (name: string): string => name.replace(/^v2\./, 'v3.');

/** A run prolongs only what belongs to its suite as it is: it holds nothing of a case deleted before. */
const firstWrite = (key: Key, packed: Uint8Array, until: number) => ({
  Key: key,
  UpdateExpression: `SET dictionary = if_not_exists(dictionary, :dictionary), ${TTL} = :expiry REMOVE ${IS_FINAL}`,
  ConditionExpression: `attribute_not_exists(${PK}) OR ${TTL} < :expiry`,
  ExpressionAttributeValues: { ':dictionary': packed, ':expiry': dictionaryExpiry(until) },
});

const renewal = (key: Key, until: number) => ({
  Key: key,
  UpdateExpression: `SET ${TTL} = :expiry REMOVE ${IS_FINAL}`,
  ConditionExpression: `attribute_exists(${PK}) AND ${TTL} < :expiry`,
  ExpressionAttributeValues: { ':expiry': dictionaryExpiry(until) },
});

/** Stored once, then read from memory, and kept as long as the results that need them. */
export function createDictionaries(table: Table) {
  const known = new BoundedCache<Known>({
    maxSize: CACHE_BYTES_MAX,
    sizeOf: ({ bytes }) => bytes.length,
  });
  const keyOf = (place: DictionaryPlace) =>
    dictionaryKey(place.orgId, place.suiteId, place.revision, place.chunk);

  function remember({ pk, sk }: Key, item: Item): Known {
    const bytes = unpackDictionary(item.dictionary as Uint8Array);
    const found = { bytes, expiresAt: Number(item[TTL] ?? 0) };
    known.set(pk + sk, found);
    return found;
  }

  async function find(key: Key): Promise<Known | undefined> {
    const cached = known.get(key.pk + key.sk);
    if (cached !== undefined) return cached;
    // Its bytes never change, and a function that misses a new one reads again or tries to create it.
    const item = await table.get(key, { mayLag: true });
    return item && remember(key, item);
  }

  /** Results are packed against the stored bytes: the first ones stay, and only their expiry grows. */
  async function create(key: Key, dictionary: Buffer, until: number): Promise<Known | undefined> {
    const packed = packDictionary(dictionary);
    if (packed === undefined) return undefined;
    const { item } = await table.update(firstWrite(key, packed, until));
    return item && remember(key, item);
  }

  async function renew(key: Key, until: number): Promise<Known | undefined> {
    const { item } = await table.update(renewal(key, until));
    return item && remember(key, item);
  }

  return {
    async find(place: DictionaryPlace): Promise<Buffer | undefined> {
      const key = keyOf(place);
      const found = await find(key);
      if (found !== undefined) return found.bytes;
      const item = await table.get(key);
      return item && remember(key, item).bytes;
    },

    /** Stores one unless one lasts until `until`, when the results expire. Undefined if it is too large. */
    async findOrCreate(
      place: DictionaryPlace,
      source: () => Buffer,
      until: number,
    ): Promise<Buffer | undefined> {
      const key = keyOf(place);
      const found = await find(key);
      if (found !== undefined && found.expiresAt >= until) return found.bytes;
      const renewed = found && (await renew(key, until));
      if (renewed !== undefined) return renewed.bytes;
      return (await create(key, source(), until))?.bytes;
    },
  };
}

export type Dictionaries = ReturnType<typeof createDictionaries>;
