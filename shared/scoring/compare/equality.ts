import { isJsonObject } from '../kit/json.ts';
import { cut, QUOTED_LENGTH, quote, REASON_LENGTH_MAX } from '../kit/text.ts';
import { lookalikeName } from './lookalike.ts';
import { textDifference } from './textDifference.ts';

export interface Difference {
  /** Empty for the whole document. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface Comparison {
  /** How strings are compared, e.g. folded to lower case. Keys are always compared as they are. */
  readonly fold: (text: string) => string;
  /** Of an object of the output. Listing the names of a big one costs its size: done once for all cases of a run. */
  readonly keysOf: (object: object) => readonly string[];
}

/** Where two JSON documents first differ, or null when they are equal. Key order does not count. */
export function firstDifference(expected: unknown, actual: unknown, by: Comparison): Difference | null {
  if (typeof expected === 'string' && typeof actual === 'string') {
    return sameText(expected, actual, by) ? null : textsDiffer(expected, actual, by);
  }
  if (Array.isArray(expected) && Array.isArray(actual)) return arrayDifference(expected, actual, by);
  if (isJsonObject(expected) && isJsonObject(actual)) return objectDifference(expected, actual, by);
  // `===` and not Object.is: -0 and 0 are the same JSON number.
  return expected === actual ? null : differs(expected, actual);
}

/** Folding changes a text's length by a factor of 1 to 3, so that texts of very different lengths are not folded. */
function sameText(expected: string, actual: string, by: Comparison): boolean {
  if (actual.length > expected.length * 3 || expected.length > actual.length * 3) return false;
  return by.fold(expected) === by.fold(actual);
}

/** The path is put together on the way back: most comparisons end without a difference. */
function under(step: string | number, { path, message }: Difference): Difference {
  return { path: [step, ...path], message };
}

/** Whether two JSON values are equal, by own members only, including those named `__proto__`. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = Object.keys(a);
  const holdsAll = keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]));
  return holdsAll && Object.keys(b).length === keys.length;
}

function arrayDifference(expected: unknown[], actual: unknown[], by: Comparison): Difference | null {
  if (expected.length !== actual.length) {
    return { path: [], message: `has ${actual.length} items instead of ${expected.length}` };
  }
  for (let index = 0; index < expected.length; index++) {
    const difference = firstDifference(expected[index], actual[index], by);
    if (difference !== null) return under(index, difference);
  }
  return null;
}

type Members = Record<string, unknown>;

function objectDifference(expected: Members, actual: Members, by: Comparison): Difference | null {
  const keys = Object.keys(expected);
  for (const key of keys) {
    if (!Object.hasOwn(actual, key)) return { path: [key], message: missing(key, actual, by) };
    const difference = firstDifference(expected[key], actual[key], by);
    if (difference !== null) return under(key, difference);
  }
  const actualKeys = by.keysOf(actual);
  if (actualKeys.length === keys.length) return null;
  const extra = actualKeys.find((key) => !Object.hasOwn(expected, key)) ?? '';
  // A name may be as long as the output, and reasons are short.
  return { path: [cut(extra, REASON_LENGTH_MAX)], message: 'is not expected' };
}

function missing(key: string, actual: Members, by: Comparison): string {
  const other = lookalikeName(key, by.keysOf(actual));
  return other === undefined ? 'is missing' : `is missing, and ${quote(other)} is there`;
}

/** Long texts differ behind what is quoted of their beginnings. */
function textsDiffer(expected: string, actual: string, { fold }: Comparison): Difference {
  if (Math.max(expected.length, actual.length) <= QUOTED_LENGTH) return differs(expected, actual);
  return { path: [], message: textDifference(fold(actual), fold(expected)) };
}

function differs(expected: unknown, actual: unknown): Difference {
  return { path: [], message: `is ${inWords(actual)} instead of ${inWords(expected)}` };
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return 'an array';
  return isJsonObject(value) ? 'an object' : String(value);
}
