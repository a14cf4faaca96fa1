import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ScoredCase } from '../../../domain/runs/ports.ts';

/**
 * Results of a run, many to an item. Most of a result is the same in every run of a suite revision: ids, names,
 * patterns. Results are compressed against a dictionary of these parts, which holds nothing of an output: 100
 * results take about 300 bytes instead of 3,000.
 */
const DICTIONARY_BYTES_MAX = 300_000;

/** With a checksum: a wrong dictionary is an error, never another text. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 } };

/** Field by field, so that equal values are next to each other and compress well; one value where all are equal. */
type Columns = Readonly<Record<string, unknown>> & { readonly case_id: readonly string[] };

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
const OPTIONAL = ['samples', 'output_excerpt', 'expected_excerpt', 'input_excerpt', 'cut', 'excerpts_cut'];

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
  const column = (name: string) => [name, columnOf(rows.map((row) => row[name] ?? null))];
  const columns = [...ALWAYS, ...usual, ...others].map(column);
  return { ...Object.fromEntries(columns), case_id: rows.map(({ case_id }) => case_id) };
}

/** A value that is no list or object stands for a column of it. */
function columnOf(values: readonly unknown[]): unknown {
  const [first] = values;
  return typeof first !== 'object' && values.every((value) => value === first) ? first : values;
}

function resultsOf(columns: Columns, ofRun: OfRun): ScoredCase[] {
  const fields = Object.entries(columns);
  return columns.case_id.map((_, index) =>
    withUsual(
      Object.fromEntries(
        fields.map(([name, values]) => [name, Array.isArray(values) ? values[index] : values]),
      ),
      ofRun,
    ),
  );
}

function withUsual(stored: Fields, ofRun: OfRun): ScoredCase {
  const result: Record<string, unknown> = { ...stored };
  for (const name of OPTIONAL) if (result[name] === null) delete result[name];
  for (const [name, of] of Object.entries(USUAL)) {
    if (!Object.hasOwn(result, name)) result[name] = of(stored as unknown as ScoredCase, ofRun);
  }
  return result as unknown as ScoredCase;
}

const toBytes = (results: readonly Fields[], ofRun: OfRun): Buffer =>
  Buffer.from(JSON.stringify(columnsOf(results as readonly (ScoredCase & Fields)[], ofRun)));

/** What a suite says, not an output: where the dictionary has the very text, `true` stands for it. */
const OF_THE_SUITE = ['expected_excerpt', 'input_excerpt'] as const;

const known = new WeakMap<Uint8Array, ReadonlyMap<string, Fields>>();

/** Those texts, by the ids of cases. */
function textsIn(dictionary: Uint8Array | undefined): ReadonlyMap<string, Fields> | undefined {
  if (dictionary === undefined) return undefined;
  const found = known.get(dictionary);
  if (found !== undefined) return found;
  const results = resultsOf(JSON.parse(Buffer.from(dictionary).toString()) as Columns, NOTHING);
  const texts = new Map(results.map((result) => [result.case_id, result as ScoredCase & Fields]));
  known.set(dictionary, texts);
  return texts;
}

function withoutKnown(results: readonly ScoredCase[], dictionary: Uint8Array | undefined): readonly Fields[] {
  if (!results.some((result) => OF_THE_SUITE.some((name) => result[name] !== undefined)))
    return asFields(results);
  const texts = textsIn(dictionary);
  return asFields(results).map((result) => {
    const own = texts?.get(String(result.case_id));
    const same = OF_THE_SUITE.filter((name) => result[name] !== undefined && result[name] === own?.[name]);
    return { ...result, ...Object.fromEntries(same.map((name) => [name, true])) };
  });
}

const asFields = (results: readonly ScoredCase[]) => results as readonly (ScoredCase & Fields)[];

function withKnown(results: readonly ScoredCase[], dictionary: Uint8Array | undefined): ScoredCase[] {
  return asFields(results).map((result) => {
    const same = OF_THE_SUITE.filter((name) => (result as Fields)[name] === true);
    if (same.length === 0) return result;
    const own = textsIn(dictionary)?.get(result.case_id);
    return { ...result, ...Object.fromEntries(same.map((name) => [name, own?.[name]])) };
  });
}

export function packResults(
  results: readonly ScoredCase[],
  dictionary: Uint8Array | undefined,
  ofRun = NOTHING,
): Buffer {
  const bytes = toBytes(withoutKnown(results, dictionary), ofRun);
  return zstdCompressSync(bytes, dictionary === undefined ? LEVEL : { ...LEVEL, dictionary });
}

export function unpackResults(
  packed: Uint8Array,
  dictionary: Uint8Array | undefined,
  ofRun = NOTHING,
): ScoredCase[] {
  const text = zstdDecompressSync(packed, dictionary === undefined ? {} : { dictionary });
  const results = JSON.parse(text.toString()) as Columns | ScoredCase[];
  // Results of an earlier version are a list, not columns, and their runs have no digest.
  if (Array.isArray(results)) return results.map((result) => withUsual({ ...result }, NOTHING));
  return withKnown(resultsOf(results, ofRun), dictionary);
}

export const dictionaryFrom = (results: readonly ScoredCase[]): Buffer => toBytes(asFields(results), NOTHING);

/** As it is stored. Undefined when it is too large for an item. */
export function packDictionary(dictionary: Uint8Array): Buffer | undefined {
  const packed = zstdCompressSync(dictionary, LEVEL);
  return packed.length <= DICTIONARY_BYTES_MAX ? packed : undefined;
}

export const unpackDictionary = (packed: Uint8Array): Buffer => zstdDecompressSync(packed);
