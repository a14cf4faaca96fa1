import { type Place, type Problems, startOf } from '../../files/read/problems.ts';
import { escapedReference } from '../../files/resolve/references.ts';
import { Collector } from '../imports/collector.ts';
import type { Imported } from '../imports/imported.ts';
import { CASE_KEY, hashOf, keyOf, looksLikeKey, nameOf, slugOf } from '../imports/keys.ts';
import type { Fields, Judge, Note } from '../imports/types.ts';
import { type Format, fieldAt, type ReadRow, readableRows, readRows } from './rows.ts';
import { type ScorerName, scorerOf } from './scorers.ts';
import { textsOf, wordsOf } from './texts.ts';

export interface TableOptions {
  readonly format: Format;
  /** As the report names it. */
  readonly file: string;
  readonly slug: string;
  readonly question: string;
  readonly expected: string;
  readonly key: string | undefined;
  readonly tags: string | undefined;
  readonly scorer: ScorerName;
  readonly judge: Judge | undefined;
}

const NAME_SHOWN_MAX = 120;
const TAG_LENGTH_MAX = 50;

/** A row that can become a case. */
interface Asked {
  readonly line: number;
  readonly fields: Fields;
  readonly question: unknown;
  readonly expected: unknown;
  /** Both of them. */
  readonly says: string;
}

/** Questions and expected answers of a table as a suite. Undefined where the table is wrong: `problems` say why. */
export async function importTable(
  text: string,
  options: TableOptions,
  problems: Problems,
): Promise<Imported | undefined> {
  const { format, file, slug } = options;
  const rows = readableRows(readRows(format, text), file, problems);
  if (problems.hasErrors || !hasFields(rows, options, problems)) return undefined;
  const collector = new Collector(slug);
  const refuse = (line: number, why: string) =>
    collector.refuse({ place: placeOf(file, line), type: 'row' }, why);
  const questionRows = rows.flatMap((row): Asked[] => {
    const read = askedBy(row, options);
    if ('why' in read) refuse(row.line, read.why);
    return 'why' in read ? [] : [read];
  });
  const notes: Note[] = [];
  const keys = new Keys(questionRows, options.key, (line, message) =>
    notes.push({ place: placeOf(file, line), message }),
  );
  const questions = new Map<string, { readonly input: Fields; readonly keys: string[] }>();
  for (const row of questionRows) {
    const key = keys.of(row);
    if (typeof key !== 'string') refuse(row.line, key.why);
    else await addCase(row, key, { collector, options, questions });
    const why = collector.whyTooLarge();
    if (why === undefined) continue;
    problems.error(placeOf(file, row.line), `the file ${why} from here on: split it`);
    return undefined;
  }
  for (const { input, keys: caseKeys } of questions.values()) collector.ask(caseKeys, input);
  return collector.imported(undefined, {
    source: format === 'csv' ? 'CSV' : 'JSONL',
    config: file,
    unread: [],
    notes,
  });
}

const placeOf = (file: string, line: number): Place => ({ ...startOf(file), line });

/** Whether each field that is named stands in a row at least. */
function hasFields(rows: readonly ReadRow[], { file, ...named }: TableOptions, problems: Problems): boolean {
  const all = rows.map(({ fields }) => fields);
  const known = [...new Set(all.flatMap((fields) => Object.keys(fields)))].slice(0, 20);
  for (const option of ['question', 'expected', 'key', 'tags'] as const) {
    const name = named[option];
    if (name === undefined || all.some((fields) => fieldAt(fields, name) !== undefined)) continue;
    const which =
      known.length === 0 ? 'no row has a field' : `its fields are ${known.join(', ').slice(0, 500)}`;
    problems.error(startOf(file), `has no field ${name} for --${option}: ${which}`);
  }
  return !problems.hasErrors;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function askedBy(row: ReadRow, { question, expected }: TableOptions): Asked | { readonly why: string } {
  const [questionText, expectedText] = [fieldAt(row.fields, question), fieldAt(row.fields, expected)];
  if (isBlank(questionText)) return { why: `has no ${question}` };
  if (isBlank(expectedText)) return { why: `has no ${expected}` };
  if (looksLikeKey(questionText) || looksLikeKey(expectedText))
    return { why: 'holds what looks like a key of a service' };
  return {
    line: row.line,
    fields: row.fields,
    question: questionText,
    expected: expectedText,
    says: JSON.stringify([questionText, expectedText]),
  };
}

interface Adding {
  readonly collector: Collector;
  readonly options: TableOptions;
  readonly questions: Map<string, { readonly input: Fields; readonly keys: string[] }>;
}

async function addCase(row: Asked, key: string, { collector, options, questions }: Adding): Promise<void> {
  const counted = { place: placeOf(options.file, row.line), type: 'row' };
  const compared = scorerOf(options.scorer, row.expected, options.judge);
  if ('why' in compared) return collector.refuse(counted, compared.why);
  const input = { question: row.question };
  const { expected, threshold } = compared;
  const tags = tagsOf(options.tags === undefined ? undefined : fieldAt(row.fields, options.tags));
  const caseKey = await collector.add(counted, compared, (scorer) => ({
    key,
    name: nameOf(wordsOf(row.question)).slice(0, NAME_SHOWN_MAX) || key,
    scorer,
    input,
    ...(expected === undefined
      ? {}
      : { expected: typeof expected === 'string' ? escapedReference(expected) : expected }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(tags.length === 0 ? {} : { tags }),
  }));
  if (caseKey === undefined) return;
  const id = JSON.stringify(row.question);
  const known = questions.get(id);
  if (known === undefined) questions.set(id, { input, keys: [caseKey] });
  else known.keys.push(caseKey);
}

/** A list of texts, or a text with commas. */
function tagsOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? (textsOf(value) ?? []) : (textsOf(value)?.[0]?.split(',') ?? []);
  return [...new Set(texts.map((text) => slugOf(text, TAG_LENGTH_MAX)).filter((tag) => tag !== ''))];
}

/**
 * The key of each row: that of its field, else of its question. Rows that ask the same have keys of what they expect, too, so
 * that no key depends on the order of the rows.
 */
class Keys {
  readonly #field: string | undefined;
  /** By what keys begin with: what rows say, with the first line that says it. */
  readonly #bases = new Map<string, Map<string, number>>();
  readonly #lines = new Map<string, { readonly line: number; readonly says: string }>();

  constructor(
    rows: readonly Asked[],
    field: string | undefined,
    note: (line: number, message: string) => void,
  ) {
    this.#field = field;
    for (const row of rows) {
      const lines = this.#bases.get(this.#base(row)) ?? new Map<string, number>();
      if (!lines.has(row.says)) lines.set(row.says, row.line);
      this.#bases.set(this.#base(row), lines);
    }
    if (field !== undefined) return;
    for (const lines of this.#bases.values()) {
      const [first, ...otherLines] = lines.values();
      for (const line of otherLines)
        note(line, `asks what line ${first} asks: their keys are made of what they expect, too`);
    }
  }

  of(row: Asked): string | { readonly why: string } {
    const base = this.#base(row);
    const isAlone = this.#field !== undefined || this.#bases.get(base)?.size === 1;
    const key = isAlone ? base : `${base}-${hashOf(row.says)}`;
    const known = this.#lines.get(key);
    this.#lines.set(key, known ?? row);
    if (known === undefined) return key;
    return {
      why: known.says === row.says ? `repeats line ${known.line}` : `has the key of line ${known.line}`,
    };
  }

  #base({ fields, question }: Asked): string {
    const field = this.#field;
    const given = field === undefined ? undefined : textsOf(fieldAt(fields, field))?.join('-');
    if (given === undefined) return keyOf(wordsOf(question));
    return CASE_KEY.test(given) ? given : keyOf(given);
  }
}
