import { isJsonObject, pointerStep } from './json.ts';
import { quote } from './text.ts';

export interface Difference {
  /** JSON pointer; empty for the whole document. */
  readonly path: string;
  readonly message: string;
}

export interface Comparison {
  /** How strings are compared, e.g. folded to lower case. Keys are always compared as they are. */
  readonly fold: (text: string) => string;
  /** Counting the members of a big object costs its size: done once for all cases of a run. */
  readonly memberCount: (object: object) => number;
}

/** Where two JSON documents first differ, or null when they are equal. Key order does not count. */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  by: Comparison,
  path = '',
): Difference | null {
  if (typeof expected === 'string' && typeof actual === 'string') {
    return by.fold(expected) === by.fold(actual) ? null : differs(expected, actual, path);
  }
  if (Array.isArray(expected) && Array.isArray(actual)) return arrayDifference(expected, actual, by, path);
  if (isJsonObject(expected) && isJsonObject(actual)) return objectDifference(expected, actual, by, path);
  // `===` and not Object.is: -0 and 0 are the same JSON number.
  return expected === actual ? null : differs(expected, actual, path);
}

function arrayDifference(
  expected: unknown[],
  actual: unknown[],
  by: Comparison,
  path: string,
): Difference | null {
  if (expected.length !== actual.length) {
    return { path, message: `has ${actual.length} items instead of ${expected.length}` };
  }
  for (let at = 0; at < expected.length; at++) {
    const difference = firstDifference(expected[at], actual[at], by, path + pointerStep(at));
    if (difference !== null) return difference;
  }
  return null;
}

type Members = Record<string, unknown>;

function objectDifference(
  expected: Members,
  actual: Members,
  by: Comparison,
  path: string,
): Difference | null {
  const keys = Object.keys(expected);
  for (const key of keys) {
    if (!Object.hasOwn(actual, key)) return { path: path + pointerStep(key), message: 'is missing' };
    const difference = firstDifference(expected[key], actual[key], by, path + pointerStep(key));
    if (difference !== null) return difference;
  }
  if (by.memberCount(actual) === keys.length) return null;
  const extra = Object.keys(actual).find((key) => !Object.hasOwn(expected, key));
  return { path: path + pointerStep(extra ?? ''), message: 'is not expected' };
}

function differs(expected: unknown, actual: unknown, path: string): Difference {
  return { path, message: `is ${inWords(actual)} instead of ${inWords(expected)}` };
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return 'an array';
  return isJsonObject(value) ? 'an object' : String(value);
}
