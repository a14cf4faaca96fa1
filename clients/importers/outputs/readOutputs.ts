import { CONTRACT_LIMITS, OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import type { OutputItem } from '../../../shared/contracts/outputs.ts';
import {
  decode,
  decodeAny,
  type Limits,
  megabytes,
  type ReadText,
  readBytes,
  readText,
} from '../../files/disk/readText.ts';
import { jsonTextsOf } from '../../files/read/jsonLists.ts';
import { readJson } from '../../files/read/jsonText.ts';
import { isRecord } from '../../files/read/parts.ts';
import { type Place, type Problems, startOf } from '../../files/read/problems.ts';
import { faultOfTrace, isUnanswered } from '../../files/read/traces.ts';
import { whyOtherForm } from './forms.ts';
import { type OutputLines, TOO_MANY } from './outputLines.ts';

/** The text of a file of outputs, where it can be read. */
export function outputsText(source: TextSource): string | undefined {
  const read = readAnswer(source, OUTPUTS_FILE_MAX);
  return 'why' in read ? undefined : read.text;
}

/** One output. */
export const OUTPUT_MAX: Limits = { bytesMax: CONTRACT_LIMITS.outputBytes, shown: '1 MB' };
/** A file of outputs: as much as a request may unpack to. */
const OUTPUTS_FILE_MAX = megabytes(32);

/** Where text comes from: the path of a file, or what was read of a stream already. */
export type TextSource = { readonly path: string } | { readonly bytes: Uint8Array };

export const readSource = (source: TextSource, limits: Limits): ReadText =>
  'path' in source ? readText(source.path, limits) : decode(source.bytes, limits);

/** An answer that was cut in the middle of a character is one all the same. */
function readAnswer(source: TextSource, limits: Limits): ReturnType<typeof decodeAny> {
  const read = 'path' in source ? readBytes(source.path, limits) : source;
  return 'why' in read ? read : decodeAny(read.bytes, limits);
}

const EMPTY = 'the output is empty, and is judged as it is';
const UNANSWERED = 'the trace shows no answer after its last call: cases of scorers that read it are missing';
const HALF = 'holds half a character or bytes that are not UTF-8, and is judged with U+FFFD in their place';

/** One output. An empty one is an answer, with a warning. Undefined where there is none: `problems` say why. */
export function readOutput(name: string, source: TextSource, problems: Problems): string | undefined {
  const read = readAnswer(source, OUTPUT_MAX);
  if ('why' in read) {
    problems.error(startOf(name), `the output ${read.why}`);
    return undefined;
  }
  if (read.text === '') problems.warn(startOf(name), EMPTY);
  warnOnce(name, read.replacedOn, `the output ${HALF}`, problems);
  return read.text;
}

/** What a contract says of items beyond their form, one sentence for each mistake. */
export type CheckItems = (items: readonly OutputItem[]) => readonly string[];

interface OutputsReading {
  readonly check?: CheckItems | undefined;
  /** Of a file of another form. */
  readonly textsOf?: typeof jsonTextsOf | undefined;
  /** Whether lines may lack `case`: cases are made of them, which no answer has to be there for. */
  readonly mayLackCase?: boolean;
}

/**
 * The outputs of a file, one object a line or a JSON list of them. `case` of each may be a list. `problems` say which lines
 * are wrong. The service checks the rest; where it is not asked, `check` does.
 */
export function readOutputs(
  name: string,
  source: TextSource,
  problems: Problems,
  { check = () => [], textsOf = jsonTextsOf, mayLackCase = false }: OutputsReading = {},
): OutputLines {
  const [items, lines]: [OutputItem[], number[]] = [[], []];
  const read = readAnswer(source, OUTPUTS_FILE_MAX);
  if ('why' in read) {
    problems.error(startOf(name), `the file ${read.why}`);
    return { items, places: [] };
  }
  const halved = new Set(read.replacedOn);
  let texts = 0;
  for (const { line, text } of textsOf(name, read.text, problems)) {
    const place = { ...startOf(name), line };
    if (Math.max(items.length, texts++) >= OUTPUTS_MAX) {
      problems.error(place, TOO_MANY);
      break;
    }
    const lineItems = itemsOn({ text, place, mayLackCase, onHalf: () => halved.add(line) }, problems, check);
    items.push(...lineItems);
    lines.push(...lineItems.map(() => line));
  }
  if (items.length === 0 && !problems.hasErrors)
    problems.error(startOf(name), 'has no output: write one a line');
  const linesOf = (is: (item: OutputItem) => boolean) =>
    items.flatMap((item, index) => (is(item) ? [lines[index] ?? 1] : []));
  const empty = linesOf(({ output }) => output === '');
  warnOnce(name, empty, EMPTY, problems);
  if (!mayLackCase) warnOnce(name, linesOf(isUnanswered), UNANSWERED, problems);
  const sorted = [...halved].sort((one, other) => one - other);
  warnOnce(name, sorted, `the output ${HALF}`, problems);
  return { items, places: lines.map((line) => ({ file: name, line })) };
}

interface TextOfItems {
  readonly text: string;
  readonly place: Place;
  readonly mayLackCase: boolean;
  readonly onHalf: () => void;
}

function itemsOn(
  { text, place, mayLackCase, onHalf }: TextOfItems,
  problems: Problems,
  check: CheckItems,
): readonly OutputItem[] {
  const document = readJson(text, place, problems, {
    mend: (value) => withWholeCharacters(value, onHalf),
    deepFields: ['trace', 'messages'],
  });
  if (document === undefined) return [];
  const items = whyOtherForm(document.value, 'own') ?? itemsOf(document.value, mayLackCase);
  const faults = typeof items === 'string' ? [items] : check(items);
  for (const fault of faults) problems.error(place, `is no output: ${fault}`);
  return typeof items === 'string' || faults.length > 0 ? [] : items;
}

/** In an output and in an error; elsewhere half a character is refused. */
function withWholeCharacters(value: unknown, onHalf: () => void): unknown {
  if (!isRecord(value)) return value;
  const halved = ['output', 'error'].filter((name) => {
    const text = value[name];
    return typeof text === 'string' && !text.isWellFormed();
  });
  if (halved.length === 0) return value;
  onHalf();
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [
      name,
      halved.includes(name) ? String(text).toWellFormed() : text,
    ]),
  );
}

const FORM = 'such as {"case": "return-window", "output": "…"}, or with "error" for "output"';

/** The items of a line, one for each case that it names; or what is wrong with its form. */
function itemsOf(value: unknown, mayLackCase: boolean): OutputItem[] | string {
  if (!isRecord(value)) return `a line is an object, ${FORM}`;
  const { case: named, ...rest } = value;
  if (mayLackCase && named === undefined) return faultOfOutput(rest) ?? [rest as OutputItem];
  const names: readonly unknown[] = Array.isArray(named) ? named : [named];
  if (names.length === 0 || !names.every((name) => typeof name === 'string' && name !== '')) {
    return `case must be the key of a case, or a list of keys: ${FORM}`;
  }
  if (names.length > OUTPUTS_MAX) return `case names ${names.length} cases: at most ${OUTPUTS_MAX}`;
  const fault = faultOfOutput(rest);
  return fault ?? names.map((name) => ({ ...rest, case: name }) as OutputItem);
}

const hasTrace = ({ trace, messages }: Readonly<Record<string, unknown>>): boolean =>
  (trace ?? messages) !== undefined;

function faultOfOutput(item: Readonly<Record<string, unknown>>): string | undefined {
  const isTraceAlone = item.output === undefined && item.error === undefined && hasTrace(item);
  return faultOfTrace(item) ?? (isTraceAlone ? undefined : faultOfText(item));
}

function faultOfText({
  output,
  error,
  ...otherFields
}: Readonly<Record<string, unknown>>): string | undefined {
  if (output === undefined && error === undefined) return `output must be given, or error: ${FORM}`;
  if (output !== undefined && error !== undefined) return 'error must not be sent beside output';
  if (typeof (output ?? error) !== 'string') {
    return `${output === undefined ? 'error' : 'output'} must be text: ${FORM}`;
  }
  if (Object.hasOwn(otherFields, 'expected')) return 'expected: the bar lives on the server: change the case';
  const bytes = typeof output === 'string' ? Buffer.byteLength(output) : 0;
  return bytes > OUTPUT_MAX.bytesMax ? `output is too large: at most ${OUTPUT_MAX.shown}` : undefined;
}

/** Of the first line, and how many more there are. */
function warnOnce(name: string, lines: readonly number[], message: string, problems: Problems): void {
  const [first, ...otherLines] = lines;
  if (first === undefined) return;
  const more =
    otherLines.length === 0 ? '' : `; so ${otherLines.length === 1 ? 'is' : 'are'} ${otherLines.length} more`;
  problems.warn({ ...startOf(name), line: first }, `${message}${more}`);
}
