import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { firstRounded } from '../../../shared/contracts/json/roundedNumbers.ts';
import { parseOutput } from '../../../shared/scoring/kit/json.ts';
import { jsonTextsOf } from '../../files/read/jsonLists.ts';
import { type JsonLine, linesOf } from '../../files/read/jsonText.ts';
import { isRecord } from '../../files/read/parts.ts';
import { type Place, type Problems, startOf } from '../../files/read/problems.ts';
import { readRows } from '../table/rows.ts';
import type { Entry } from './entry.ts';
import { type Evidence, shownPlace } from './evidence.ts';
import { type ForeignForm, parsed, resultsIn, whyOtherForm } from './forms.ts';
import { entryOfInspect } from './inspect.ts';
import { type Mapping, mapped, neverFound } from './mapping.ts';
import { entriesOfSpans, type MakingCases } from './otlp.ts';
import { type CaseOfSuite, entriesOfPromptfoo, type Result } from './promptfoo.ts';
import { type Line, lineIn } from './spans/span.ts';

/** The lines of outputs that a text of another form means. */
export type TextsOf = (file: string, text: string, problems: Problems) => Iterable<JsonLine>;

const lineOf = (line: number, entry: Entry): JsonLine => ({ line, text: JSON.stringify(entry) });

/** `promptfoo eval --output results.json`, or `.jsonl`. */
export const textsOfPromptfoo =
  (cases: readonly CaseOfSuite[], evidence: Evidence): TextsOf =>
  (file, text, problems) => {
    const documents = documentsOf('promptfoo', file, few(textsIn(text)), problems);
    const [{ value: document } = { value: undefined }] = documents;
    const list = isRecord(document) ? resultsIn(document) : undefined;
    const results: readonly Result[] = list?.map((value) => ({ line: 1, value })) ?? documents;
    if (problems.hasErrors) return [];
    return entriesOfPromptfoo(file, results, { cases, evidence }, problems).map(({ line, entry }) =>
      lineOf(line, entry),
    );
  };

/** `inspect log dump`. */
export const textsOfInspect =
  (evidence: Evidence): TextsOf =>
  (file, text, problems) =>
    documentsOf('inspect', file, textsIn(text), problems).flatMap(({ line, value }) => {
      const { eval: task, samples } = isRecord(value) ? value : {};
      const place = { ...startOf(file), line };
      const model = JSON.stringify((isRecord(task) ? task.model : undefined) ?? null);
      const other = evidence.otherCandidate(place, { form: 'inspect', id: model, name: model });
      if (other !== undefined) {
        const message = `is a log of the model ${model.slice(0, 100)}, and ${shownPlace(other.place)} of ${other.name.slice(0, 100)}: a run judges one`;
        problems.error(place, message);
      }
      return (Array.isArray(samples) ? samples : []).map((sample: unknown) => {
        reportRepeatedSample(sample, place, evidence, problems);
        return lineOf(line, entryOfInspect(sample));
      });
    });

/** A log that lacks the epoch is of the first one. */
function reportRepeatedSample(sample: unknown, place: Place, evidence: Evidence, problems: Problems): void {
  const { id, epoch = 1, uuid = null } = isRecord(sample) ? sample : {};
  const ofEpoch = evidence.add(place, 'inspect', 'epoch', id, epoch);
  const known = (uuid === null ? undefined : evidence.add(place, 'inspect', 'uuid', uuid)) ?? ofEpoch;
  if (known === undefined) return;
  const shown = JSON.stringify([id, epoch]).slice(1, -1).slice(0, 200);
  const message = `has the sample and epoch ${shown} again, after ${shownPlace(known)}: leave one out`;
  problems.error(place, message);
}

/** Lines of OTLP JSON. `making`: cases are made of them. */
export const textsOfSpans =
  (evidence: Evidence, making?: MakingCases): TextsOf =>
  (file, text, problems) => {
    const lines = [...textsIn(text)].flatMap(({ line, text: json }) => {
      // Two readers take a name that is there twice for two things.
      const read = parseOutput(json);
      const entries = read.ok ? lineIn(read.value, line) : undefined;
      if (entries === undefined) {
        const why =
          whyOtherForm(read.ok ? read.value : undefined, 'otlp') ??
          'is no line of OTLP JSON: export it again, or leave it out';
        problems.error({ ...startOf(file), line }, why);
      }
      return entries ?? [];
    });
    // Of what cannot be read, a call might be in any trace.
    if (problems.hasErrors) return [];
    reportSplitTraces(file, lines, evidence, problems);
    return entriesOfSpans(file, lines, problems, making).map(({ line, entry }) => lineOf(line, entry));
  };

/** A trace counts once, and a call of it may be in any of its lines: they are read together, from one file. */
function reportSplitTraces(
  file: string,
  lines: readonly Line[],
  evidence: Evidence,
  problems: Problems,
): void {
  const spans = new Map(lines.flatMap((line) => line.spans.map((span) => [span.traceId, span.line])));
  const logs = new Set(lines.flatMap((line) => line.logs.map(({ traceId }) => traceId)));
  for (const traceId of new Set([...spans.keys(), ...logs])) {
    if (traceId === '') continue;
    const place = { ...startOf(file), line: spans.get(traceId) ?? 1 };
    const ofLogs = spans.has(traceId) ? evidence.find('logs', traceId) : undefined;
    const other = evidence.find('spans', traceId) ?? ofLogs;
    if (other === undefined) continue;
    const message = `has the trace ${traceId}, as ${shownPlace(other)} has: leave one out, or join the files to one`;
    problems.error(place, message);
  }
  for (const [traceId, line] of spans) evidence.add({ ...startOf(file), line }, 'spans', traceId);
  for (const traceId of logs) evidence.add(startOf(file), 'logs', traceId);
}

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
    else yield { line: row.line, value: withoutBlanks(row.fields) };
  }
}

/** A cell that is blank holds nothing: a table can't say that an answer is empty. */
const withoutBlanks = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, cell]) => [name, String(cell).trim() === '' ? null : cell]),
  );

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
