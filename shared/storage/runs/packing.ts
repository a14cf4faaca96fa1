import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ScoredCase } from '../../domain/runs/ports.ts';

/**
 * Results of a run, many to an item. Most of a result is the same in every run of a suite revision: ids, names,
 * patterns. Results are compressed against a dictionary of these parts, which holds nothing of an output: 100
 * results take about 300 bytes instead of 3,000.
 */
const DICTIONARY_BYTES_MAX = 300_000;

/** With a checksum: a wrong dictionary is an error, never another text. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 } };

/** Field by field, so that equal values are next to each other and compress well. */
type Columns = { readonly [Field in keyof ScoredCase]: readonly ScoredCase[Field][] };

const columnsOf = (results: readonly ScoredCase[]): Columns => ({
  case_id: results.map(({ case_id }) => case_id),
  case_name: results.map(({ case_name }) => case_name),
  threshold: results.map(({ threshold }) => threshold),
  scorer_output: results.map(({ scorer_output }) => scorer_output),
  passed: results.map(({ passed }) => passed),
  score: results.map(({ score }) => score),
  reason: results.map(({ reason }) => reason),
  duration_ms: results.map(({ duration_ms }) => duration_ms),
});

function resultsOf(columns: Columns): ScoredCase[] {
  const fields = Object.entries(columns);
  return columns.case_id.map(
    (_, index) => Object.fromEntries(fields.map(([field, values]) => [field, values[index]])) as ScoredCase,
  );
}

const toBytes = (results: readonly ScoredCase[]): Buffer => Buffer.from(JSON.stringify(columnsOf(results)));

export function packResults(results: readonly ScoredCase[], dictionary: Uint8Array | undefined): Buffer {
  return zstdCompressSync(toBytes(results), dictionary === undefined ? LEVEL : { ...LEVEL, dictionary });
}

export function unpackResults(packed: Uint8Array, dictionary: Uint8Array | undefined): ScoredCase[] {
  const text = zstdDecompressSync(packed, dictionary === undefined ? {} : { dictionary });
  const results = JSON.parse(text.toString()) as Columns | ScoredCase[];
  // Results of an earlier version are a list, not columns.
  return Array.isArray(results) ? results : resultsOf(results);
}

export const dictionaryFrom = toBytes;

/** As it is stored. Undefined when it is too large for an item. */
export function packDictionary(dictionary: Uint8Array): Buffer | undefined {
  const packed = zstdCompressSync(dictionary, LEVEL);
  return packed.length <= DICTIONARY_BYTES_MAX ? packed : undefined;
}

export const unpackDictionary = (packed: Uint8Array): Buffer => zstdDecompressSync(packed);
