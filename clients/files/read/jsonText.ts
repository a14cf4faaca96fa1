import { firstRepeatedName } from '../../../shared/contracts/json/repeatedNames.ts';
import { firstRounded } from '../../../shared/contracts/json/roundedNumbers.ts';
import { isJson, jsonFault } from './jsonFault.ts';
import { lineOf } from './lines.ts';
import type { Located } from './parts.ts';
import { isRecord } from './parts.ts';
import { type Place, type Problems, startOf } from './problems.ts';

const DEPTH_MAX = 64;
/** Some thousand levels down, the stack of a writer of JSON ends. */
const WRITABLE_DEPTH_MAX = 1_000;

/** A document whose parts all count as standing at one place. */
export const atOnePlace = (value: unknown, place: Place): Located => ({
  value,
  at: () => place,
  atName: () => place,
});

interface JsonReading {
  /** May make something usable of it first. */
  readonly mend?: (value: unknown) => unknown;
  /** Fields of the document whose reader looks how deep they nest. */
  readonly deepFields?: readonly string[];
}

/** What a JSON text says. Undefined where it is none, or where JSON writers would give it back as something else. */
export function readJson(
  text: string,
  place: Place,
  problems: Problems,
  reading?: JsonReading,
): Located | undefined {
  const why = whyUnusable(text, reading);
  if (typeof why === 'object') return atOnePlace(why.value, place);
  const { line, column } = isJson(text) ? START : lineOf(text)(jsonFault(text).offset);
  if (line === 1) problems.error(place, why);
  else
    problems.error({ ...place, line: place.line + line - 1, column }, 'is not JSON from here on: correct it');
  return undefined;
}

const START = { line: 1, column: 1 };

function whyUnusable(
  text: string,
  { mend = (value) => value, deepFields = [] }: JsonReading = {},
): { readonly value: unknown } | string {
  try {
    const value: unknown = mend(JSON.parse(text));
    return faultOfJson(text, value, deepFields) ?? { value };
  } catch (error) {
    const position = error instanceof Error ? / at position (\d+)/.exec(error.message)?.[1] : undefined;
    return `is not JSON${position === undefined ? '' : `, from its character ${Number(position) + 1} on`}: correct it`;
  }
}

/** A JSON object that the service reads without a change of its values, or why a text is none. */
export function objectIn(text: string): { readonly object: Readonly<Record<string, unknown>> } | string {
  const read = whyUnusable(text);
  if (typeof read === 'string') return read;
  return isRecord(read.value) ? { object: read.value } : 'is no JSON object';
}

/** Why JSON writers would give back what `text` says as something else, or the service would not take it. */
function faultOfJson(text: string, value: unknown, deepFields: readonly string[]): string | undefined {
  const rounded = firstRounded(text);
  if (rounded !== undefined)
    return `${rounded.path.join('.')} is read as ${rounded.value}: write that, or a text`;
  return faultIn(value, DEPTH_MAX, deepFields) ?? faultOfNames(text, value);
}

function faultOfNames(text: string, value: unknown): string | undefined {
  const repeated = firstRepeatedName(text, value);
  if (repeated === undefined) return undefined;
  return `has ${JSON.stringify(repeated.slice(0, 100))} twice in one object: leave one out`;
}

/** What the service would not take. `deep`: fields that may nest deeper, or that this is within one. */
function faultIn(value: unknown, levels: number, deep: readonly string[] | true): string | undefined {
  if (typeof value !== 'object' || value === null) return faultOfPlain(value);
  if (levels <= (deep === true ? -WRITABLE_DEPTH_MAX : 0))
    return `nests too deep: use at most ${DEPTH_MAX} levels`;
  for (const [name, inner] of Object.entries(value)) {
    const isDeep = deep === true || deep.includes(name) || [];
    const fault = faultOfPlain(name) ?? faultIn(inner, levels - 1, isDeep);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfPlain(value: unknown): string | undefined {
  if (typeof value === 'string' && !value.isWellFormed()) return HALF_A_CHARACTER;
  return typeof value === 'number' && !Number.isFinite(value) ? TOO_LARGE : undefined;
}

const HALF_A_CHARACTER = 'holds half a character: escape whole ones';
const TOO_LARGE = 'holds a number that is too large: write it as text';

export interface JsonLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines that are not empty. */
export function* linesOf(text: string): Generator<JsonLine> {
  let line = 0;
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    const next = text.slice(start, end === -1 ? text.length : end);
    line++;
    if (next.trim() !== '') yield { line, text: next };
    if (end === -1) break;
    start = end + 1;
  }
}

/** A document for each line. */
export function* readJsonLines(file: string, text: string, problems: Problems): Generator<Located> {
  for (const { line, text: json } of linesOf(text)) {
    const document = readJson(json, { ...startOf(file), line }, problems);
    if (document !== undefined) yield document;
  }
}
