import { linesOf, readJson } from '../../files/read/jsonText.ts';
import { isRecord, ownOf } from '../../files/read/parts.ts';
import { Problems, startOf } from '../../files/read/problems.ts';
import { BROKEN_QUOTE, readCsv } from '../imports/csv.ts';
import type { Fields } from '../imports/types.ts';

export type Format = 'jsonl' | 'csv';

export interface ReadRow {
  readonly line: number;
  readonly fields: Fields;
}

/** A line with its fields, or why it has none. */
export type Row = ReadRow | { readonly line: number; readonly why: string };

export const readRows = (format: Format, text: string): Row[] =>
  format === 'csv' ? csvRows(text) : [...jsonRows(text)];

export function* jsonRows(text: string): Generator<Row> {
  for (const { line, text: json } of linesOf(text)) {
    const problems = new Problems();
    const document = readJson(json, startOf(''), problems);
    if (document === undefined) yield { line, why: problems.sorted()[0]?.message ?? 'is not JSON' };
    else if (isRecord(document.value)) yield { line, fields: document.value };
    else yield { line, why: 'is no JSON object' };
  }
}

function csvRows(text: string): Row[] {
  const [head, ...rows] = readCsv(text);
  if (head === undefined) return [];
  const columns = head.fields.map((column) => column.trim());
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice !== undefined)
    return [{ line: head.line, why: `names the column "${twice.slice(0, 100)}" twice` }];
  return rows.map(({ line, fields, isBroken }) => {
    if (isBroken) return { line, why: BROKEN_QUOTE };
    if (fields.length !== columns.length)
      return { line, why: `has ${fields.length} fields, and the first line has ${columns.length}` };
    return { line, fields: Object.fromEntries(columns.map((column, index) => [column, fields[index]])) };
  });
}

/** The rows that can be read. Each other one is an error: what it holds is not known. */
export function readableRows(rows: Iterable<Row>, file: string, problems: Problems): ReadRow[] {
  return [...rows].flatMap((row) => {
    if ('fields' in row) return [row];
    problems.error({ ...startOf(file), line: row.line }, row.why);
    return [];
  });
}

/** A field by its name, or by a path of names with dots. */
export function fieldAt(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return ownOf(fields, name);
  return name.split('.').reduce<unknown>(ownOf, fields);
}
