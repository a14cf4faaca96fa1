import { plainRules } from '../../domain/suites/bar/rules.ts';
import type { PlannedCase } from '../../domain/suites/packs/plannedCase.ts';
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
      // An id takes the room of 16 bytes that do not compress: it is not repeated.
      key: cases.map(({ key, id }) => (key === id ? '' : key)),
      tags: cases.map(({ tags }) => tags),
      must_pass: cases.map(({ must_pass }) => must_pass),
      advisory_until: cases.map(({ advisory_until }) => advisory_until),
      sample_count: cases.map(({ sample_count }) => sample_count),
      sample_pass_rate: cases.map(({ sample_pass_rate }) => sample_pass_rate),
      scorer: cases.map(({ scorer }) => places.get(scorer) ?? -1),
    },
  };
  return packJson(columns);
}

export function unpackCases(bytes: Uint8Array): PlannedCase[] {
  const { ids, fields, scorers } = unpackJson(bytes) as Columns;
  const columns = Object.entries(fields);
  return fields.name.map((_, index) => {
    const row = Object.fromEntries(columns.map(([name, values]) => [name, values[index]]));
    const { scorer, ...own } = row as unknown as Omit<Row, 'id'>;
    const id = uuidOf(ids.slice(index * ID_DIGITS, (index + 1) * ID_DIGITS));
    return { ...plainRules(id), ...own, id, key: own.key || id, scorer: scorers[scorer] ?? null };
  });
}
