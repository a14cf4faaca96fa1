import * as z from 'zod';
import type { ScoredCase } from '../domain/ports.ts';
import { readBlob, writeBlob } from './blobs.ts';
import { chunksOf } from './chunks.ts';
import type { Dictionaries } from './dictionaries.ts';
import { resultsKey, resultsOfAttempt } from './keys.ts';
import { CHUNK_CASES, packResults, unpackResults } from './packing.ts';
import type { Item, Table } from './table.ts';

/** Small enough to lie in the run's own item without making it cost more. */
const INLINE_BYTES_MAX = 400;

/** What the run's item says of its results. */
export const packedSchema = z.object({
  revision: z.string(),
  /** Bytes of each chunk of cases, in order. */
  chunk_bytes: z.array(z.number()),
  /** For each chunk: whether it was packed against its dictionary. */
  chunk_dictionary: z.array(z.boolean()),
  results: z.instanceof(Uint8Array).optional(),
});
export type PackedResults = z.infer<typeof packedSchema>;

export interface ResultsPlace {
  readonly orgId: string;
  readonly suiteId: string;
  /** Names the items of one run: what another attempt left behind is never read. */
  readonly attempt: string;
}

interface Stores {
  readonly table: Table;
  readonly dictionaries: Dictionaries;
}

export interface PackedChunk {
  readonly bytes: Buffer;
  readonly withDictionary: boolean;
}

export async function packChunk(
  { dictionaries }: Stores,
  { orgId, suiteId }: ResultsPlace,
  { revision, chunk, results }: { revision: string; chunk: number; results: readonly ScoredCase[] },
): Promise<PackedChunk> {
  const dictionary = await dictionaries.findOrCreate({ orgId, suiteId, revision, chunk }, results);
  return { bytes: packResults(results, dictionary), withDictionary: dictionary !== undefined };
}

export async function writeChunk(
  { table }: Stores,
  { orgId, suiteId, attempt }: ResultsPlace,
  chunk: number,
  bytes: Buffer,
  ttl: Item,
): Promise<void> {
  await writeBlob(table, bytes, (part) => resultsKey(orgId, suiteId, attempt, chunk, part), ttl);
}

/**
 * Packs the results and writes what is too large for the run's item. Written before the run is committed and
 * found only through it: without the run nobody sees them, and they expire.
 */
export async function storeResults(
  stores: Stores,
  place: ResultsPlace,
  { revision, results, ttl }: { revision: string; results: readonly ScoredCase[]; ttl: Item },
): Promise<PackedResults> {
  const chunks = await Promise.all(
    chunksOf(results, CHUNK_CASES).map((part, chunk) =>
      packChunk(stores, place, { revision, chunk, results: part }),
    ),
  );
  const described = describeChunks(
    revision,
    chunks.map(({ bytes, withDictionary }) => ({ bytes: bytes.length, withDictionary })),
  );
  const packed = Buffer.concat(chunks.map(({ bytes }) => bytes));
  if (packed.length <= INLINE_BYTES_MAX) return { ...described, results: packed };
  await Promise.all(chunks.map(({ bytes }, chunk) => writeChunk(stores, place, chunk, bytes, ttl)));
  return described;
}

export function describeChunks(
  revision: string,
  chunks: readonly { bytes: number; withDictionary: boolean }[],
): PackedResults {
  return {
    revision,
    chunk_bytes: chunks.map(({ bytes }) => bytes),
    chunk_dictionary: chunks.map(({ withDictionary }) => withDictionary),
  };
}

export async function readResults(
  { table, dictionaries }: Stores,
  { orgId, suiteId, attempt }: ResultsPlace,
  packed: PackedResults,
): Promise<ScoredCase[]> {
  const bytes = packed.results ?? (await readBlob(table, resultsOfAttempt(orgId, suiteId, attempt)));
  let start = 0;
  const chunks = packed.chunk_bytes.map(async (length, chunk) => {
    const part = bytes.subarray(start, start + length);
    start += length;
    const place = { orgId, suiteId, revision: packed.revision, chunk };
    const dictionary = packed.chunk_dictionary[chunk] ? await dictionaries.find(place) : undefined;
    return unpackResults(part, dictionary);
  });
  return (await Promise.all(chunks)).flat();
}
