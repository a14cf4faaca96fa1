import type { PlannedCase } from '../../domain/evaluation/evaluation.ts';
import { packJson, unpackJson } from '../table/blobs.ts';
import { uuidOf } from '../table/documents.ts';

type Scorer = PlannedCase['scorer'];
type Row = Omit<PlannedCase, 'scorer'> & { readonly scorer: number };

/**
 * Cases of a chunk, field by field, so that equal values are next to each other and compress well. They refer to
 * scorers by index: a large rubric or schema is stored once for all cases that use it.
 */
interface Columns {
  readonly scorers: readonly Scorer[];
  /** 32 hexadecimal digits each: nothing else of an id can't be compressed. */
  readonly ids: string;
  readonly fields: { readonly [Field in Exclude<keyof Row, 'id'>]: readonly Row[Field][] };
}

/** As an earlier version stored them. */
interface Rows {
  readonly scorers: readonly Scorer[];
  readonly cases: readonly Row[];
}

const ID_DIGITS = 32;

export function packCases(cases: readonly PlannedCase[]): Buffer {
  const places = new Map<Scorer, number>();
  for (const { scorer } of cases) if (!places.has(scorer)) places.set(scorer, places.size);
  const columns: Columns = {
    scorers: [...places.keys()],
    ids: cases.map(({ id }) => id.replaceAll('-', '')).join(''),
    fields: {
      name: cases.map(({ name }) => name),
      input: cases.map(({ input }) => input),
      expected: cases.map(({ expected }) => expected),
      threshold: cases.map(({ threshold }) => threshold),
      weight: cases.map(({ weight }) => weight),
      scorer: cases.map(({ scorer }) => places.get(scorer) ?? -1),
    },
  };
  return packJson(columns);
}

export function unpackCases(bytes: Uint8Array): PlannedCase[] {
  const stored = unpackJson(bytes) as Columns | Rows;
  const rows = 'cases' in stored ? stored.cases : rowsOf(stored);
  return rows.map((row) => ({ ...row, scorer: stored.scorers[row.scorer] ?? null }));
}

function rowsOf({ ids, fields }: Columns): Row[] {
  const { name: names, input, expected, threshold, weight, scorer } = fields;
  return names.map((name, index) => ({
    id: uuidOf(ids.slice(index * ID_DIGITS, (index + 1) * ID_DIGITS)),
    name,
    input: input[index] ?? {},
    expected: expected[index],
    threshold: threshold[index] ?? 0,
    weight: weight[index] ?? 0,
    scorer: scorer[index] ?? -1,
  }));
}
