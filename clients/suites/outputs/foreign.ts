import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { firstRounded } from '../../../shared/contracts/json/roundedNumbers.ts';
import { parseOutput } from '../../../shared/scoring/compare/json.ts';
import { jsonTextsOf } from '../read/jsonLists.ts';
import { type JsonLine, linesOf } from '../read/jsonText.ts';
import { isRecord } from '../read/parts.ts';
import { type Place, type Problems, startOf } from '../read/problems.ts';
import { readRows } from '../table/rows.ts';
import type { Entry } from './entry.ts';
import { entriesOfInspect } from './inspect.ts';
import { type Mapping, mapped } from './mapping.ts';
import { entriesOfSpans } from './otlp.ts';
import { type Asked, entriesOfPromptfoo, type Result } from './promptfoo.ts';
import { lineIn } from './spans/span.ts';

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
    const documents = documentsOf(file, few(textsIn(text)), problems, roundedIn);
    const [{ value: whole } = { value: undefined }] = documents;
    const list = isRecord(whole) ? resultsIn(whole) : undefined;
    const results: readonly Result[] = list?.map((value) => ({ line: 1, value })) ?? documents;
    if (problems.hasErrors) return [];
    return entriesOfPromptfoo(file, results, asked, problems).map(({ line, entry }) => lineOf(line, entry));
  };

/** `inspect log dump`. */
export const textsOfInspect: TextsOf = (file, text, problems) =>
  documentsOf(file, textsIn(text), problems).flatMap(({ value }) => {
    const samples = isRecord(value) && Array.isArray(value.samples) ? value.samples : [];
    return entriesOfInspect(samples).map((entry) => lineOf(1, entry));
  });

/** Lines of OTLP JSON. */
export const textsOfSpans: TextsOf = (file, text, problems) => {
  const lines = [...textsIn(text)].flatMap(({ line, text: json }) => {
    // Two readers take a name that stands there twice for two things.
    const read = parseOutput(json);
    const found = read.ok ? lineIn(read.value, line) : undefined;
    if (found === undefined) {
      problems.error({ ...startOf(file), line }, 'is no line of OTLP JSON: export it again, or leave it out');
    }
    return found ?? [];
  });
  // Of what cannot be read, a call might be in any trace.
  if (problems.hasErrors) return [];
  return entriesOfSpans(file, lines, problems).map(({ line, entry }) => lineOf(line, entry));
};

/** A list, lines of JSON, or a table whose first row names the columns. */
export const textsOfMapping =
  (mapping: Mapping): TextsOf =>
  (file, text, problems) =>
    /^\s*[[{]/.test(text) ? itemsOf(mapping, file, text, problems) : rowsOf(mapping, file, text, problems);

function* rowsOf(mapping: Mapping, file: string, text: string, problems: Problems): Generator<JsonLine> {
  for (const row of few(readRows('csv', text))) {
    const place = { ...startOf(file), line: row.line };
    if ('why' in row) problems.error(place, row.why);
    else yield* entryOf(mapping, row.fields, place, problems);
  }
}

function* itemsOf(mapping: Mapping, file: string, text: string, problems: Problems): Generator<JsonLine> {
  for (const { line, text: json } of few(jsonTextsOf(file, text, problems))) {
    const place = { ...startOf(file), line };
    const item = documentIn(json, place, problems, roundedIn);
    if (item !== undefined) yield* entryOf(mapping, item.value, place, problems);
  }
}

function* entryOf(mapping: Mapping, item: unknown, place: Place, problems: Problems): Generator<JsonLine> {
  const entry = mapped(mapping, item);
  if (typeof entry === 'string') problems.error(place, entry);
  else yield lineOf(place.line, entry);
}

/** One more than a run sends. Each is an output or an error, so that what is left out changes nothing. */
function* few<Text>(texts: Iterable<Text>): Generator<Text> {
  let left = OUTPUTS_MAX + 1;
  for (const text of texts) {
    if (left-- === 0) return;
    yield text;
  }
}

type Fault = (json: string) => string | undefined;

/** The whole text, or each line of it. */
const textsIn = (text: string): Iterable<JsonLine> =>
  parsed(text) === undefined ? linesOf(text) : [{ line: 1, text }];

function documentsOf(
  file: string,
  texts: Iterable<JsonLine>,
  problems: Problems,
  faultOf?: Fault,
): readonly Result[] {
  return [...texts].flatMap(({ line, text }) => {
    const document = documentIn(text, { ...startOf(file), line }, problems, faultOf);
    return document === undefined ? [] : [{ line, value: document.value }];
  });
}

/** Undefined where it is no JSON, or where two readers could read it in two ways: `problems` say why. */
function documentIn(
  json: string,
  place: Place,
  problems: Problems,
  faultOf?: Fault,
): { readonly value: unknown } | undefined {
  const read = parseOutput(json);
  const fault = read.ok ? faultOf?.(json) : read.reason.replace(/^output /, '');
  if (read.ok && fault === undefined) return read;
  problems.error(place, fault ?? '');
  return undefined;
}

/** An output that is no text is written as JSON: it must not change by that. */
function roundedIn(json: string): string | undefined {
  const rounded = firstRounded(json);
  return rounded && `${rounded.path.join('.').slice(0, 200)} is read as ${rounded.value}: write it as text`;
}
