import { firstRounded } from '../../../shared/contracts/json/roundedNumbers.ts';
import { readCsv } from '../imports/csv.ts';
import { jsonTextsOf } from '../read/jsonLists.ts';
import { type JsonLine, linesOf } from '../read/jsonText.ts';
import { isRecord } from '../read/parts.ts';
import { type Problems, startOf } from '../read/problems.ts';
import type { Entry } from './entry.ts';
import { entriesOfInspect } from './inspect.ts';
import { type Mapping, mapped } from './mapping.ts';
import { entriesOfSpans } from './otlp.ts';
import { type Asked, entriesOfPromptfoo, type Result } from './promptfoo.ts';
import { spansIn } from './spans.ts';

/** The lines of outputs that a text of another form means. */
export type TextsOf = (file: string, text: string, problems: Problems) => Iterable<JsonLine>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const firstLine = (text: string): string => {
  const { value } = linesOf(text).next();
  return value === undefined ? '' : (value as JsonLine).text;
};

/** Results of promptfoo, a log of Inspect, spans of OpenTelemetry; undefined for our own form. */
export function formOf(text: string): 'promptfoo' | 'inspect' | 'otlp' | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const value = parsed(text) ?? parsed(firstLine(text));
  if (!isRecord(value) || Object.hasOwn(value, 'case')) return undefined;
  if (Array.isArray(value.resourceSpans)) return 'otlp';
  if (isRecord(value.eval) && Array.isArray(value.samples)) return 'inspect';
  const isList = resultsIn(value) !== undefined;
  return isList || isRecord(value.testCase) || (isRecord(value.vars) && Object.hasOwn(value, 'response'))
    ? 'promptfoo'
    : undefined;
}

const resultsIn = (value: Readonly<Record<string, unknown>>): readonly unknown[] | undefined => {
  const inner = isRecord(value.results) ? value.results.results : value.results;
  return Array.isArray(inner) ? inner : undefined;
};

const lineOf = (line: number, entry: Entry): JsonLine => ({ line, text: JSON.stringify(entry) });

/** `promptfoo eval --output results.json`, or `.jsonl`. */
export const textsOfPromptfoo =
  (asked: readonly Asked[]): TextsOf =>
  (file, text, problems) => {
    if (hasRounded(file, text, problems)) return [];
    const whole = parsed(text);
    const list = isRecord(whole) ? resultsIn(whole) : undefined;
    const results: Result[] =
      list?.map((value) => ({ line: 1, value })) ??
      [...linesOf(text)].map(({ line, text: one }) => ({ line, value: parsed(one) }));
    return entriesOfPromptfoo(file, results, asked, problems).map(({ line, entry }) => lineOf(line, entry));
  };

/** `inspect log dump`. */
export const textsOfInspect: TextsOf = (_file, text) => {
  const { samples } = parsed(text) as { readonly samples: readonly unknown[] };
  return entriesOfInspect(samples).map((entry) => lineOf(1, entry));
};

/** Lines of OTLP JSON. */
export const textsOfSpans: TextsOf = (file, text, problems) => {
  const whole = parsed(text);
  const documents = whole === undefined ? [...linesOf(text)] : [{ line: 1, text }];
  const spans = documents.flatMap(({ line, text: json }) => spansIn(parsed(json), line));
  return entriesOfSpans(file, spans, problems).map(({ line, entry }) => lineOf(line, entry));
};

/** A list, lines of JSON, or a table whose first row names the columns. */
export const textsOfMapping =
  (mapping: Mapping): TextsOf =>
  (file, text, problems) => {
    const isTable = !/^\s*[[{]/.test(text);
    if (!isTable && hasRounded(file, text, problems)) return [];
    return isTable ? rowsOf(mapping, text) : itemsOf(mapping, file, text, problems);
  };

function* rowsOf(mapping: Mapping, text: string): Generator<JsonLine> {
  let columns: readonly string[] | undefined;
  for (const { line, fields } of readCsv(text)) {
    if (columns === undefined) columns = fields.map((name) => name.trim());
    else {
      const row = Object.fromEntries(columns.map((name, index) => [name, fields[index]]));
      yield lineOf(line, mapped(mapping, row));
    }
  }
}

function* itemsOf(mapping: Mapping, file: string, text: string, problems: Problems): Generator<JsonLine> {
  for (const { line, text: json } of jsonTextsOf(file, text, problems)) {
    const item = parsed(json);
    // Its reader says what is wrong with it.
    yield item === undefined ? { line, text: json } : lineOf(line, mapped(mapping, item));
  }
}

/** An output that is no text is written as JSON: it must not change by that. */
function hasRounded(file: string, text: string, problems: Problems): boolean {
  const documents = parsed(text) === undefined ? linesOf(text) : [{ line: 1, text }];
  for (const { line, text: json } of documents) {
    const rounded = parsed(json) === undefined ? undefined : firstRounded(json);
    if (rounded === undefined) continue;
    const message = `${rounded.path.join('.').slice(0, 200)} is read as ${rounded.value}: write it as text`;
    problems.error({ ...startOf(file), line }, message);
    return true;
  }
  return false;
}
