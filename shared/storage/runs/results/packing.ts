import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isPass } from '../../../domain/runs/results/state.ts';
import { JOIN, SAME, type StoredResult } from '../../../domain/runs/results/storedResult.ts';
import { COMPRESSION } from '../../table/blobs.ts';

/** What the run's item says anyway: the digest of its one output. */
export interface OfRun {
  readonly outputDigest: string | null;
}

/** Field by field, so that equal values are next to each other and compress well; one value where all are equal. */
interface Columns extends Readonly<Record<string, unknown>> {
  /** Each as its distance from the one before. */
  readonly members: unknown;
  /** A letter for each result. */
  readonly states: string;
}

type Field = Exclude<keyof StoredResult, 'member' | 'state'>;

/** A column is stored only if some result says something else. */
const USUAL: Readonly<
  Partial<Record<Field, (result: Pick<StoredResult, 'state'>, ofRun: OfRun) => unknown>>
> = {
  score: ({ state }) => (isPass(state) ? 1 : 0),
  reason: () => '',
  duration_ms: () => 0,
  scorer_output: () => SAME,
  output_digest: (_, { outputDigest }) => outputDigest,
  metadata: () => null,
};
/** A result may lack them: `null` says so in a column. */
const OPTIONAL: readonly Field[] = [
  'other',
  'samples',
  'output_excerpt',
  'trace_excerpt',
  'expected_excerpt',
  'input_excerpt',
  'run_input_excerpt',
  'cut',
  'excerpts_cut',
];

/** Few values that many results have: each once, and for each result a digit of which it has. */
interface FewValues {
  readonly values: readonly unknown[];
  readonly digits: string;
}

const DIGITS = 36;

/** Undefined where most values differ. */
function fewValues(all: readonly unknown[]): FewValues | undefined {
  const places = new Map<unknown, number>();
  const placesOfJson = new Map<string, number>();
  const values: unknown[] = [];
  let digits = '';
  for (const value of all) {
    let place = places.get(value);
    if (place === undefined) {
      const json = typeof value === 'object' ? JSON.stringify(value) : undefined;
      place = (json === undefined ? undefined : placesOfJson.get(json)) ?? values.length;
      if (place === values.length) values.push(value);
      if (values.length > DIGITS || 2 * values.length > all.length) return undefined;
      places.set(value, place);
      if (json !== undefined) placesOfJson.set(json, place);
    }
    digits += place.toString(DIGITS);
  }
  return { values, digits };
}

/** A value that is no list or object stands for a column of it. */
function columnOf(values: readonly unknown[]): unknown {
  const [first] = values;
  if (typeof first !== 'object' && values.every((value) => value === first)) return first;
  return fewValues(values) ?? values;
}

const isFewValues = (column: unknown): column is FewValues =>
  typeof column === 'object' && column !== null && 'digits' in column;

const DIGEST_DIGITS = 16;
const isDigest = (value: unknown): boolean => typeof value === 'string' && value.length === DIGEST_DIGITS;

/** Digests do not compress, and neither would what separates them. */
const digestsIn = (column: unknown): unknown =>
  Array.isArray(column) && column.every(isDigest) ? column.join('') : column;

function valueAt(column: unknown, index: number, name?: string): unknown {
  if (Array.isArray(column)) return column[index];
  if (isFewValues(column)) return column.values[Number.parseInt(column.digits.charAt(index), DIGITS)];
  const areDigests = name === 'output_digest' && typeof column === 'string' && column.length > DIGEST_DIGITS;
  return areDigests ? column.slice(index * DIGEST_DIGITS, (index + 1) * DIGEST_DIGITS) : column;
}

function columnsOf(results: readonly StoredResult[], ofRun: OfRun): Columns {
  const usual = Object.entries(USUAL).filter(([name, usualOf]) =>
    results.some((result) => Reflect.get(result, name) !== usualOf(result, ofRun)),
  );
  const optional = OPTIONAL.filter((name) => results.some((result) => result[name] !== undefined));
  const names = [...usual.map(([name]) => name as Field), ...optional];
  const columns = names.map((name) => [name, columnOf(results.map((one) => one[name] ?? null))] as const);
  return {
    ...Object.fromEntries(
      columns.map(([name, column]) => [name, name === 'output_digest' ? digestsIn(column) : column]),
    ),
    members: columnOf(distances(results.map(({ member }) => member))),
    states: results.map(({ state }) => state).join(''),
  };
}

/** Null stays null. */
function distances(members: readonly (number | null)[]): (number | null)[] {
  let last = 0;
  return members.map((member) => {
    if (member === null) return null;
    const distance = member - last;
    last = member;
    return distance;
  });
}

function resultsOf({ members, states, ...columns }: Columns, ofRun: OfRun): StoredResult[] {
  let last = 0;
  return Array.from(states, (state, index) => {
    const distance = valueAt(members, index);
    if (typeof distance === 'number') last += distance;
    const usual = Object.entries(USUAL).map(([name, usualOf]) => [name, usualOf({ state }, ofRun)]);
    const storedFields = Object.entries(columns)
      .map(([name, column]) => [name, valueAt(column, index, name)] as const)
      .filter(([name, value]) => value !== null || Object.hasOwn(USUAL, name));
    return {
      ...Object.fromEntries([...usual, ...storedFields]),
      member: typeof distance === 'number' ? last : null,
      state,
    };
  });
}

/** The first byte names the rule by which they are joined. */
export function packResults(results: readonly StoredResult[], ofRun: OfRun = NOTHING): Buffer {
  const columns = Buffer.from(JSON.stringify(columnsOf(results, ofRun)));
  return Buffer.concat([Buffer.of(JOIN), zstdCompressSync(columns, COMPRESSION)]);
}

const NOTHING: OfRun = { outputDigest: null };

function unzipped(packed: Uint8Array, bytesMax?: number): Buffer {
  if (packed[0] !== JOIN) throw new Error(`Results of a rule that is not known: ${packed[0]}`);
  return zstdDecompressSync(packed.subarray(1), { maxOutputLength: bytesMax });
}

export const unpackResults = (packed: Uint8Array, ofRun: OfRun = NOTHING): StoredResult[] =>
  resultsOf(JSON.parse(unzipped(packed).toString()), ofRun);

/** What the results say of one case. */
export type Outcome = Pick<StoredResult, 'state' | 'score' | 'other'>;

/** By the numbers of the cases. Undefined where the results take more bytes than given. */
export function unpackOutcomes(
  packed: Uint8Array,
  numbers: ReadonlySet<number>,
  bytesMax: number,
): { readonly outcomes: ReadonlyMap<number, Outcome>; readonly bytes: number } | undefined {
  const unpacked = bytesMax > 0 ? unzippedWithin(packed, bytesMax) : undefined;
  if (unpacked === undefined) return undefined;
  const { members, states, score, other } = JSON.parse(unpacked.toString()) as Columns;
  const outcomes = new Map<number, Outcome>();
  let last = 0;
  for (const [index, state] of Array.from(states).entries()) {
    const distance = valueAt(members, index);
    last += Number(distance);
    if (distance === null || !numbers.has(last)) continue;
    const storedScore = (valueAt(score, index) ?? (isPass(state) ? 1 : 0)) as number;
    const otherFields = valueAt(other, index) as StoredResult['other'] | null;
    outcomes.set(last, { state, score: storedScore, ...(otherFields && { other: otherFields }) });
  }
  return { outcomes, bytes: unpacked.length };
}

function unzippedWithin(packed: Uint8Array, bytesMax: number): Buffer | undefined {
  try {
    return unzipped(packed, bytesMax);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
