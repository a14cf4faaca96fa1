import * as z from 'zod';
import type { FinishedRun, ScoredCase } from '../../../domain/runs/ports.ts';
import { CHUNK_CASES_MAX } from '../../../domain/suites/chunks.ts';
import { chunksOf } from '../../table/batches.ts';
import { readBlob, WRITE_UNIT_BYTES, writeBlob, writeUnits } from '../../table/blobs.ts';
import { resultsKey, resultsOfRun, TTL } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { type Dictionaries, type DictionaryPlace, dictionaryName, textsName } from './dictionaries.ts';
import { dictionaryFrom, type OfRun, packResults, quotesSuite, textsFrom, unpackResults } from './packing.ts';

export const packedSchema = z.object({
  /** The name of its dictionaries. */
  revision: z.string(),
  /** Bytes of each chunk of cases, in order. */
  chunk_bytes: z.array(z.number()),
  /** For each chunk: whether it was packed against its dictionary. */
  chunk_dictionary: z.array(z.boolean()),
  /** For each chunk: whether its results name texts that are kept by themselves. Not there where none do. */
  txt: z.string().optional(),
  results: z.instanceof(Uint8Array).optional(),
});
export type PackedResults = z.infer<typeof packedSchema>;

export interface ResultsPlace {
  readonly orgId: string;
  readonly suiteId: string;
  /** Names the items of one run: items of a failed store are never read. */
  readonly runToken: string;
}

interface Stores {
  readonly table: Table;
  readonly dictionaries: Dictionaries;
}

interface ResultsToStore extends OfRun, Pick<FinishedRun, 'repeated' | 'repeatedTexts'> {
  readonly revision: string;
  readonly results: readonly ScoredCase[];
  readonly ttl: { readonly [TTL]: number };
  /** The rest of the run's item. */
  readonly beside: Item;
}

const ofChunk = <T>(all: readonly T[], chunk: number): readonly T[] =>
  all.slice(chunk * CHUNK_CASES_MAX, (chunk + 1) * CHUNK_CASES_MAX);

const textsPlace = (place: DictionaryPlace) => ({ ...place, revision: textsName(place.revision) });

/** The run is stored afterwards: results beside it are found only through it, and else expire unseen. */
export async function storeResults(
  { table, dictionaries }: Stores,
  { orgId, suiteId, runToken }: ResultsPlace,
  { revision, results, repeated, repeatedTexts, ttl, beside, outputDigest }: ResultsToStore,
): Promise<PackedResults> {
  const name = dictionaryName(revision);
  const pack = async (part: readonly ScoredCase[], chunk: number) => {
    const place = { orgId, suiteId, revision: name, chunk };
    const source = () => dictionaryFrom(ofChunk(repeated(), chunk));
    const [dictionary, texts] = await Promise.all([
      dictionaries.findOrCreate(place, source, ttl[TTL]),
      repeatedTexts && quotesSuite(part)
        ? dictionaries.findOrCreate(
            textsPlace(place),
            () => textsFrom(ofChunk(repeatedTexts(), chunk)),
            ttl[TTL],
          )
        : undefined,
    ]);
    return {
      bytes: packResults(part, dictionary, { outputDigest, texts }),
      withDictionary: dictionary !== undefined,
      withTexts: texts !== undefined,
    };
  };
  const chunks = await Promise.all(chunksOf(results, CHUNK_CASES_MAX).map(pack));
  const described: PackedResults = {
    revision: name,
    chunk_bytes: chunks.map(({ bytes }) => bytes.length),
    chunk_dictionary: chunks.map(({ withDictionary }) => withDictionary),
    ...(chunks.some(({ withTexts }) => withTexts) && {
      txt: chunks.map(({ withTexts }) => (withTexts ? '1' : '0')).join(''),
    }),
  };
  const packed = Buffer.concat(chunks.map(({ bytes }) => bytes));
  const inline = { ...described, results: packed };
  // An item of their own costs one unit, and each further kilobyte of the run's transaction two.
  const units = (packedResults: PackedResults) => writeUnits({ ...beside, packed: packedResults });
  if (packed.length < WRITE_UNIT_BYTES && units(inline) === units(described)) return inline;
  const write = ({ bytes }: { bytes: Buffer }, chunk: number) =>
    writeBlob(table, bytes, (part) => resultsKey(orgId, suiteId, runToken, { chunk, part }), ttl);
  await Promise.all(chunks.map(write));
  return described;
}

export async function readResults(
  { table, dictionaries }: Stores,
  { orgId, suiteId, runToken }: ResultsPlace,
  { outputDigest, ...packed }: PackedResults & OfRun,
): Promise<ScoredCase[]> {
  const bytes = packed.results ?? (await readBlob(table, resultsOfRun(orgId, suiteId, runToken)));
  let start = 0;
  const chunks = packed.chunk_bytes.map(async (length, chunk) => {
    const part = bytes.subarray(start, start + length);
    start += length;
    const place = { orgId, suiteId, revision: packed.revision, chunk };
    const [dictionary, texts] = await Promise.all([
      packed.chunk_dictionary[chunk] ? dictionaries.find(place) : undefined,
      packed.txt?.[chunk] === '1' ? dictionaries.find(textsPlace(place)) : undefined,
    ]);
    return unpackResults(part, dictionary, { outputDigest, texts });
  });
  return (await Promise.all(chunks)).flat();
}
