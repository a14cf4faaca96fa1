import * as z from 'zod';
import type { ScoredCase } from '../domain/ports.ts';
import { chunksOf } from './chunks.ts';
import type { Dictionaries } from './dictionaries.ts';
import { resultsKey, resultsOfAttempt } from './keys.ts';
import { CHUNK_CASES, PART_BYTES_MAX, packResults, unpackResults } from './packing.ts';
import type { Item, Table } from './table.ts';

/** Small enough to lie in the run's own item without making it cost more. */
const INLINE_BYTES_MAX = 400;

/** What the run's item says of its results. */
export const packedSchema = z.object({
  attempt: z.string(),
  revision: z.string(),
  /** Bytes of each chunk of cases, in order. */
  chunk_bytes: z.array(z.number()),
  /** For each chunk: whether it was packed against its dictionary. */
  chunk_dictionary: z.array(z.boolean()),
  results: z.instanceof(Uint8Array).optional(),
});
export type PackedResults = z.infer<typeof packedSchema>;

interface Place {
  readonly orgId: string;
  readonly suiteId: string;
}

/**
 * Packs the results and writes what is too large for the run's item. Written before the run is committed and
 * found only through it: without the run nobody sees them, and they expire.
 */
export async function storeResults(
  { table, dictionaries }: { table: Table; dictionaries: Dictionaries },
  { orgId, suiteId }: Place,
  {
    attempt,
    revision,
    results,
    ttl,
  }: { attempt: string; revision: string; results: readonly ScoredCase[]; ttl: Item },
): Promise<PackedResults> {
  const chunks = await Promise.all(
    chunksOf(results, CHUNK_CASES).map(async (chunk, index) => {
      const place = { orgId, suiteId, revision, chunk: index };
      const dictionary = await dictionaries.findOrCreate(place, chunk);
      return { bytes: packResults(chunk, dictionary), withDictionary: dictionary !== undefined };
    }),
  );
  const packed = Buffer.concat(chunks.map(({ bytes }) => bytes));
  const described = {
    attempt,
    revision,
    chunk_bytes: chunks.map(({ bytes }) => bytes.length),
    chunk_dictionary: chunks.map(({ withDictionary }) => withDictionary),
  };
  if (packed.length <= INLINE_BYTES_MAX) return { ...described, results: packed };
  const parts = Array.from({ length: Math.ceil(packed.length / PART_BYTES_MAX) }, (_, part) =>
    packed.subarray(part * PART_BYTES_MAX, (part + 1) * PART_BYTES_MAX),
  );
  await Promise.all(
    parts.map((bytes, part) => table.put({ ...resultsKey(orgId, suiteId, attempt, part), ...ttl, bytes })),
  );
  return described;
}

export async function readResults(
  { table, dictionaries }: { table: Table; dictionaries: Dictionaries },
  { orgId, suiteId }: Place,
  packed: PackedResults,
): Promise<ScoredCase[]> {
  const bytes = packed.results ?? (await readParts(table, { orgId, suiteId }, packed.attempt));
  let start = 0;
  const chunks = packed.chunk_bytes.map(async (length, index) => {
    const chunk = bytes.subarray(start, start + length);
    start += length;
    const place = { orgId, suiteId, revision: packed.revision, chunk: index };
    const dictionary = packed.chunk_dictionary[index] ? await dictionaries.find(place) : undefined;
    return unpackResults(chunk, dictionary);
  });
  return (await Promise.all(chunks)).flat();
}

async function readParts(table: Table, { orgId, suiteId }: Place, attempt: string): Promise<Uint8Array> {
  const items = await table.query(resultsOfAttempt(orgId, suiteId, attempt));
  return Buffer.concat(items.map((item) => item.bytes as Uint8Array));
}
