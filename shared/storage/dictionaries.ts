import { LRUCache } from 'lru-cache';
import type { ScoredCase } from '../domain/ports.ts';
import { dictionaryKey } from './keys.ts';
import { dictionaryFrom, packDictionary, unpackDictionary } from './packing.ts';
import type { Table } from './table.ts';

const CACHE_BYTES_MAX = 16 * 1_024 * 1_024;

interface DictionaryPlace {
  readonly orgId: string;
  readonly suiteId: string;
  readonly revision: string;
  readonly chunk: number;
}

/** The dictionaries of a suite's revisions: written once by the first run, then read from memory. */
export function createDictionaries(table: Table) {
  const known = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: (dictionary) => dictionary.length + 1,
  });
  const keyOf = (place: DictionaryPlace) =>
    dictionaryKey(place.orgId, place.suiteId, place.revision, place.chunk);

  async function find(place: DictionaryPlace): Promise<Buffer | undefined> {
    const key = keyOf(place);
    const cached = known.get(key.pk + key.sk);
    if (cached !== undefined) return cached;
    const item = await table.get(key);
    if (item === undefined) return undefined;
    const dictionary = unpackDictionary(item.dictionary as Uint8Array);
    known.set(key.pk + key.sk, dictionary);
    return dictionary;
  }

  return {
    find,

    /** Made from these results if there is none yet; undefined where none fits. */
    async findOrCreate(place: DictionaryPlace, results: readonly ScoredCase[]): Promise<Buffer | undefined> {
      const found = await find(place);
      if (found !== undefined) return found;
      const packed = packDictionary(dictionaryFrom(results));
      if (packed === undefined) return undefined;
      await table.putIfAbsent({ ...keyOf(place), dictionary: packed });
      // Another run may have been first: what lies in the table is what counts.
      return find(place);
    },
  };
}

export type Dictionaries = ReturnType<typeof createDictionaries>;
