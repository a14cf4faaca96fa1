import { LRUCache } from 'lru-cache';
import type { ScoredCase } from '../domain/ports.ts';
import { DAY_MS } from '../domain/time.ts';
import { dictionariesOfFirstFormat, dictionaryKey, type Key, PK, SK, TTL } from './keys.ts';
import { dictionaryFrom, packDictionary, unpackDictionary } from './packing.ts';
import type { Item, Table } from './table.ts';

const CACHE_BYTES_MAX = 16 * 1_024 * 1_024;
/** How much longer than the run at hand a dictionary is kept, so that it is renewed once in so many days. */
const RENEWED_AFTER_DAYS = 30;

interface DictionaryPlace {
  readonly orgId: string;
  readonly suiteId: string;
  readonly revision: string;
  readonly chunk: number;
}

interface Times {
  readonly atMs: number;
  /** When the results expire that are packed against it, in seconds since 1970. */
  readonly until: number;
}

interface Known {
  readonly bytes: Buffer;
  /** In seconds since 1970. */
  readonly expiresAt: number;
}

/** Those of the first format, named by the revision alone, held reasons, and so pieces of an output. */
export const dictionaryName = (revision: string): string => `v2.${revision}`;

/** When a dictionary expires that results need until then. */
export const dictionaryExpiry = (until: number): number => until + (RENEWED_AFTER_DAYS * DAY_MS) / 1_000;

/** The dictionaries of a suite's revisions: written once, then read from memory, and kept as long as their results. */
export function createDictionaries(table: Table) {
  const known = new LRUCache<string, Known>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
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
    const item = await table.get(key);
    return item && remember(key, item);
  }

  /** Another run may have been first: what lies in the table is what counts. */
  async function create(key: Key, dictionary: Buffer, { atMs, until }: Times): Promise<Known | undefined> {
    const packed = packDictionary(dictionary);
    if (packed === undefined) return undefined;
    const { item } = await table.update({
      Key: key,
      UpdateExpression: `SET dictionary = :dictionary, ${TTL} = :expiry`,
      ConditionExpression: `attribute_not_exists(${PK}) OR ${TTL} <= :now`,
      ExpressionAttributeValues: {
        ':dictionary': packed,
        ':expiry': dictionaryExpiry(until),
        ':now': Math.floor(atMs / 1_000),
      },
    });
    return item && remember(key, item);
  }

  /** Undefined when it is gone. */
  async function renew(key: Key, until: number): Promise<Known | undefined> {
    const { item } = await table.update({
      Key: key,
      UpdateExpression: `SET ${TTL} = :expiry`,
      ConditionExpression: `attribute_exists(${PK}) AND ${TTL} < :expiry`,
      ExpressionAttributeValues: { ':expiry': dictionaryExpiry(until) },
    });
    return item && remember(key, item);
  }

  return {
    find: async (place: DictionaryPlace) => (await find(keyOf(place)))?.bytes,

    /** Made if there is none that lasts until then; undefined where none fits. */
    async findOrCreate(
      place: DictionaryPlace,
      repeated: () => readonly ScoredCase[],
      times: Times,
    ): Promise<Buffer | undefined> {
      const key = keyOf(place);
      const found = await find(key);
      if (found !== undefined && found.expiresAt >= times.until) return found.bytes;
      const renewed = found && (await renew(key, times.until));
      if (renewed !== undefined) return renewed.bytes;
      const created = await create(key, dictionaryFrom(repeated()), times);
      await expireFirstFormat(table, place, times.until);
      return created?.bytes;
    },
  };
}

/** Those had no time to live. No result is packed against them any more: they go with the last that was. */
async function expireFirstFormat(
  table: Table,
  { orgId, suiteId }: DictionaryPlace,
  until: number,
): Promise<void> {
  const items = await table.query(dictionariesOfFirstFormat(orgId, suiteId));
  for (const item of items.filter((dictionary) => dictionary[TTL] === undefined)) {
    await table.update({
      Key: { [PK]: item[PK], [SK]: item[SK] },
      UpdateExpression: `SET ${TTL} = :until`,
      ConditionExpression: `attribute_exists(${PK}) AND attribute_not_exists(${TTL})`,
      ExpressionAttributeValues: { ':until': until },
    });
  }
}

export type Dictionaries = ReturnType<typeof createDictionaries>;
