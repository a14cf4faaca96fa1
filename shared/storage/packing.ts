import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ScoredCase } from '../domain/ports.ts';

/**
 * Results of a run, many to an item. Most of a result says the same in every run of one suite revision: ids,
 * names, patterns, reasons. So it is compressed against a dictionary, the results of the first such run
 * without what came from that run's output: 100 results take some 300 bytes instead of 3,000.
 */
export const CHUNK_CASES = 500;
const DICTIONARY_BYTES_MAX = 300_000;

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 9 } };

/** The fields of `scorer_output` that hold the candidate's output or a piece of it. */
const OUTPUT_FIELDS = ['actual', 'parsed_output', 'match_groups', 'errors', 'raw_response'];

export function packResults(results: readonly ScoredCase[], dictionary: Uint8Array | undefined): Buffer {
  const text = Buffer.from(JSON.stringify(results));
  return zstdCompressSync(text, dictionary === undefined ? LEVEL : { ...LEVEL, dictionary });
}

export function unpackResults(packed: Uint8Array, dictionary: Uint8Array | undefined): ScoredCase[] {
  const text = zstdDecompressSync(packed, dictionary === undefined ? {} : { dictionary });
  return JSON.parse(text.toString()) as ScoredCase[];
}

export function dictionaryFrom(results: readonly ScoredCase[]): Buffer {
  const withoutOutput = results.map((result) => {
    const kept = Object.entries(result.scorer_output).filter(([field]) => !OUTPUT_FIELDS.includes(field));
    return { ...result, scorer_output: Object.fromEntries(kept) };
  });
  return Buffer.from(JSON.stringify(withoutOutput));
}

/** As it lies in the table; undefined for one too large to be worth an item. */
export function packDictionary(dictionary: Uint8Array): Buffer | undefined {
  const packed = zstdCompressSync(dictionary, LEVEL);
  return packed.length <= DICTIONARY_BYTES_MAX ? packed : undefined;
}

export const unpackDictionary = (packed: Uint8Array): Buffer => zstdDecompressSync(packed);
