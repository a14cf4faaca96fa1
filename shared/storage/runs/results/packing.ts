import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { RepeatedTexts, ScoredCase } from '../../../domain/runs/ports.ts';

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

/** What is packed beside a dictionary. `texts`: see `textsFrom`. */
interface Beside extends OfRun {
  readonly texts?: Uint8Array | undefined;
}
const NOTHING: Beside = { outputDigest: null };

/** A column is stored only if some result says something else. */
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
const OPTIONAL = [
  'fault',
  'samples',
  'output_excerpt',
  'expected_excerpt',
  'input_excerpt',
  'cut',
  'excerpts_cut',
];

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

/** What a suite says, not an output: where the kept texts have the very text, `true` stands for it. */
const OF_THE_SUITE = ['expected_excerpt', 'input_excerpt'] as const;

/**
 * Texts are kept by themselves, since they are dropped with deleted cases, and nothing can be unpacked without its
 * dictionary.
 */
export const textsFrom = (texts: readonly RepeatedTexts[]): Buffer => Buffer.from(JSON.stringify(texts));

const known = new WeakMap<Uint8Array, ReadonlyMap<string, RepeatedTexts>>();

function textsById(texts: Uint8Array): ReadonlyMap<string, RepeatedTexts> {
  const found = known.get(texts);
  if (found !== undefined) return found;
  const rows = JSON.parse(Buffer.from(texts).toString()) as RepeatedTexts[];
  const byId = new Map(rows.map((row) => [row.case_id, row]));
  known.set(texts, byId);
  return byId;
}

export const quotesSuite = (results: readonly ScoredCase[]): boolean =>
  results.some((result) => OF_THE_SUITE.some((name) => result[name] !== undefined));

function withoutKnown(results: readonly ScoredCase[], texts: Uint8Array | undefined): readonly Fields[] {
  if (texts === undefined || !quotesSuite(results)) return asFields(results);
  const byId = textsById(texts);
  return asFields(results).map((result) => {
    const own = byId.get(result.case_id);
    const same = OF_THE_SUITE.filter((name) => result[name] !== undefined && result[name] === own?.[name]);
    return { ...result, ...Object.fromEntries(same.map((name) => [name, true])) };
  });
}

const asFields = (results: readonly ScoredCase[]) => results as readonly (ScoredCase & Fields)[];

/** Texts that are dropped by now are left out. */
function withKnown(results: readonly ScoredCase[], texts: Uint8Array | undefined): ScoredCase[] {
  return asFields(results).map((result) => {
    const same = OF_THE_SUITE.filter((name) => (result as Fields)[name] === true);
    if (same.length === 0) return result;
    const own = texts && textsById(texts).get(result.case_id);
    const read: Record<string, unknown> = { ...result };
    for (const name of same) {
      if (own?.[name] === undefined) delete read[name];
      else read[name] = own[name];
    }
    return read as unknown as ScoredCase;
  });
}

export function packResults(
  results: readonly ScoredCase[],
  dictionary: Uint8Array | undefined,
  { texts, ...ofRun }: Beside = NOTHING,
): Buffer {
  const bytes = toBytes(withoutKnown(results, texts), ofRun);
  return zstdCompressSync(bytes, dictionary === undefined ? LEVEL : { ...LEVEL, dictionary });
}

export function unpackResults(
  packed: Uint8Array,
  dictionary: Uint8Array | undefined,
  { texts, ...ofRun }: Beside = NOTHING,
): ScoredCase[] {
  const text = zstdDecompressSync(packed, dictionary === undefined ? {} : { dictionary });
  const results = JSON.parse(text.toString()) as Columns;
  return withKnown(resultsOf(results, ofRun), texts);
}

export const dictionaryFrom = (results: readonly ScoredCase[]): Buffer => toBytes(asFields(results), NOTHING);

/** As it is stored. Undefined when it is too large for an item. */
export function packDictionary(dictionary: Uint8Array): Buffer | undefined {
  const packed = zstdCompressSync(dictionary, LEVEL);
  return packed.length <= DICTIONARY_BYTES_MAX ? packed : undefined;
}

export const unpackDictionary = (packed: Uint8Array): Buffer => zstdDecompressSync(packed);
