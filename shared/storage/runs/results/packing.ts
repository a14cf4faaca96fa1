import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ScoredCase } from '../../../domain/runs/ports.ts';
import { addExcerpts, type ExcerptColumn, excerptColumns } from './excerptColumns.ts';

/**
 * Results of a run, many to an item. Most of a result is the same in every run of a suite revision: ids, names,
 * patterns. Results are compressed against a dictionary of these parts, which holds nothing of an output: 100
 * results take about 300 bytes instead of 3,000.
 */
const DICTIONARY_BYTES_MAX = 300_000;

/** With a checksum: a wrong dictionary is an error, never another text. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 } };

/** Field by field, so that equal values are next to each other and compress well. */
type Columns = Readonly<Record<string, readonly unknown[]>> & { readonly case_id: readonly string[] };
interface Stored {
  readonly excerpts?: readonly (ExcerptColumn | null)[];
}

const ALWAYS = [
  'case_id',
  'case_name',
  'threshold',
  'scorer_output',
  'passed',
  'score',
  'reason',
  'duration_ms',
];

/** What the run's item says anyway: the digest of its one output. */
export interface OfRun {
  readonly outputDigest: string | null;
}
const NOTHING: OfRun = { outputDigest: null };

/** Those that results from before do not have. A column is stored only if some result says something else. */
const USUAL: Readonly<Record<string, (result: ScoredCase, ofRun: OfRun) => unknown>> = {
  key: ({ case_id }) => case_id,
  errored: ({ scorer_output }) => scorer_output.error !== undefined,
  missing: () => false,
  advisory: () => false,
  must_pass: () => false,
  weight: () => null,
  tags: () => [],
  output_digest: (_, { outputDigest }) => outputDigest,
  metadata: () => null,
};
/** A result may lack them: `null` says so in a column. */
const OPTIONAL = ['samples', 'cut', 'excerpts_cut'];

type Fields = Readonly<Record<string, unknown>>;

function isUsual(value: unknown, usual: unknown): boolean {
  return value === usual || (Array.isArray(usual) && Array.isArray(value) && value.length === 0);
}

function columnsOf(results: readonly ScoredCase[], ofRun: OfRun): Columns {
  const rows = results as readonly (ScoredCase & Fields)[];
  const usual = Object.entries(USUAL).flatMap(([name, of]) =>
    rows.every((row) => isUsual(row[name], of(row, ofRun))) ? [] : [name],
  );
  const others = OPTIONAL.filter((name) => rows.some((row) => row[name] !== undefined));
  const column = (name: string) => [name, rows.map((row) => row[name] ?? null)];
  return Object.fromEntries([...ALWAYS, ...usual, ...others].map(column)) as Columns;
}

function excerptsIn(results: readonly ScoredCase[]): Stored {
  const excerpts = excerptColumns(results);
  return excerpts.every((column) => column === null) ? {} : { excerpts };
}

function resultsOf({ excerpts = [], ...columns }: Columns & Stored, ofRun: OfRun): ScoredCase[] {
  const fields = Object.entries(columns as Columns);
  const results = columns.case_id.map((_, index) =>
    withUsual(Object.fromEntries(fields.map(([name, values]) => [name, values[index]])), ofRun),
  );
  addExcerpts(results, excerpts);
  return results;
}

function withUsual(stored: Fields, ofRun: OfRun): ScoredCase {
  const result: Record<string, unknown> = { ...stored };
  for (const name of OPTIONAL) if (result[name] === null) delete result[name];
  for (const [name, of] of Object.entries(USUAL)) {
    if (!Object.hasOwn(result, name)) result[name] = of(stored as unknown as ScoredCase, ofRun);
  }
  return result as unknown as ScoredCase;
}

const toBytes = (results: readonly ScoredCase[], ofRun: OfRun): Buffer =>
  Buffer.from(JSON.stringify({ ...columnsOf(results, ofRun), ...excerptsIn(results) }));

export function packResults(
  results: readonly ScoredCase[],
  dictionary: Uint8Array | undefined,
  ofRun = NOTHING,
): Buffer {
  const bytes = toBytes(results, ofRun);
  return zstdCompressSync(bytes, dictionary === undefined ? LEVEL : { ...LEVEL, dictionary });
}

export function unpackResults(
  packed: Uint8Array,
  dictionary: Uint8Array | undefined,
  ofRun = NOTHING,
): ScoredCase[] {
  const text = zstdDecompressSync(packed, dictionary === undefined ? {} : { dictionary });
  const results = JSON.parse(text.toString()) as (Columns & Stored) | ScoredCase[];
  // Results of an earlier version are a list, not columns, and their runs have no digest.
  return Array.isArray(results)
    ? results.map((result) => withUsual({ ...result }, NOTHING))
    : resultsOf(results, ofRun);
}

export const dictionaryFrom = (results: readonly ScoredCase[]): Buffer => toBytes(results, NOTHING);

/** As it is stored. Undefined when it is too large for an item. */
export function packDictionary(dictionary: Uint8Array): Buffer | undefined {
  const packed = zstdCompressSync(dictionary, LEVEL);
  return packed.length <= DICTIONARY_BYTES_MAX ? packed : undefined;
}

export const unpackDictionary = (packed: Uint8Array): Buffer => zstdDecompressSync(packed);
