import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { firstRounded } from '../../../shared/contracts/json/roundedNumbers.ts';
import { parseOutput } from '../../../shared/scoring/kit/json.ts';
import { jsonTextsOf } from '../../files/read/jsonLists.ts';
import { type JsonLine, linesOf } from '../../files/read/jsonText.ts';
import { isRecord } from '../../files/read/parts.ts';
import { type Place, type Problems, startOf } from '../../files/read/problems.ts';
import { readRows } from '../table/rows.ts';
import type { Entry } from './entry.ts';
import { type ForeignForm, parsed, resultsIn, whyOtherForm } from './forms.ts';
import { entriesOfInspect } from './inspect.ts';
import { type Mapping, mapped, neverFound } from './mapping.ts';
import { entriesOfSpans } from './otlp.ts';
import { type CaseOfSuite, entriesOfPromptfoo, type Result } from './promptfoo.ts';
import { lineIn } from './spans/span.ts';

/** The lines of outputs that a text of another form means. */
export type TextsOf = (file: string, text: string, problems: Problems) => Iterable<JsonLine>;

const lineOf = (line: number, entry: Entry): JsonLine => ({ line, text: JSON.stringify(entry) });

/** `promptfoo eval --output results.json`, or `.jsonl`. */
export const textsOfPromptfoo =
  (cases: readonly CaseOfSuite[]): TextsOf =>
  (file, text, problems) => {
    const documents = documentsOf('promptfoo', file, few(textsIn(text)), problems);
    const [{ value: whole } = { value: undefined }] = documents;
    const list = isRecord(whole) ? resultsIn(whole) : undefined;
    const results: readonly Result[] = list?.map((value) => ({ line: 1, value })) ?? documents;
    if (problems.hasErrors) return [];
    return entriesOfPromptfoo(file, results, cases, problems).map(({ line, entry }) => lineOf(line, entry));
  };

/** `inspect log dump`. */
export const textsOfInspect: TextsOf = (file, text, problems) =>
  documentsOf('inspect', file, textsIn(text), problems).flatMap(({ value }) => {
    const samples = isRecord(value) && Array.isArray(value.samples) ? value.samples : [];
    return entriesOfInspect(samples).map((entry) => lineOf(1, entry));
  });

/** Lines of OTLP JSON. */
export const textsOfSpans: TextsOf = (file, text, problems) => {
  const lines = [...textsIn(text)].flatMap(({ line, text: json }) => {
    // Two readers take a name that is there twice for two things.
    const read = parseOutput(json);
    const found = read.ok ? lineIn(read.value, line) : undefined;
    if (found === undefined) {
      const why =
        whyOtherForm(read.ok ? read.value : undefined, 'otlp') ??
        'is no line of OTLP JSON: export it again, or leave it out';
      problems.error({ ...startOf(file), line }, why);
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
    entriesOf(
      mapping,
      /^\s*[[{]/.test(text) ? itemsOf(file, text, problems) : rowsOf(file, text, problems),
      file,
      problems,
    );

function* rowsOf(file: string, text: string, problems: Problems): Generator<Result> {
  for (const row of few(readRows('csv', text))) {
    if ('why' in row) problems.error({ ...startOf(file), line: row.line }, row.why);
    else yield { line: row.line, value: row.fields };
  }
}

function* itemsOf(file: string, text: string, problems: Problems): Generator<Result> {
  for (const { line, text: json } of few(jsonTextsOf(file, text, problems))) {
    const item = documentIn(json, { ...startOf(file), line }, problems, roundedIn);
    if (item !== undefined) yield { line, value: item.value };
  }
}

function* entriesOf(
  mapping: Mapping,
  items: Iterable<Result>,
  file: string,
  problems: Problems,
): Generator<JsonLine> {
  const figures = new Set<string>();
  for (const { line, value } of items) {
    const entry = mapped(mapping, value);
    if (typeof entry === 'string') {
      problems.error({ ...startOf(file), line }, entry);
      continue;
    }
    for (const name of Object.keys(entry.metadata ?? {})) figures.add(name);
    yield lineOf(line, entry);
  }
  for (const pair of problems.hasErrors ? [] : neverFound(mapping, figures))
    problems.warn(startOf(file), `--map ${pair} finds nothing in any line`);
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
  form: ForeignForm,
  file: string,
  texts: Iterable<JsonLine>,
  problems: Problems,
): readonly Result[] {
  const faultOf = form === 'promptfoo' ? roundedIn : undefined;
  return [...texts].flatMap(({ line, text }) => {
    const place = { ...startOf(file), line };
    const document = documentIn(text, place, problems, faultOf);
    if (document === undefined) return [];
    const why = whyOtherForm(document.value, form);
    if (why === undefined) return [{ line, value: document.value }];
    problems.error(place, why);
    return [];
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
