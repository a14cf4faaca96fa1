import { decimalOf, hasLongNumber, haveSameDigits, significantDigits, someLongNumber } from './jsonText.ts';

/** A number of at most so many characters keeps its digits when it is read, or is at most 2^53. */
const EXACT_LENGTH = 15;
/** The shortest text of a double has at most so many significant digits. */
const DIGITS_MAX = 17;
/** The exact decimal text of a double beyond 2^53 has at most so many significant digits. */
const EXACT_DIGITS_MAX = 309;
const EXPONENT = /\d[eE][+-]?\d/;
/** An exponent of three figures or some 220 zeros; with less, nothing comes near 1e-323. */
const MAY_VANISH = /[eE]-\d{3}|\.0{220}/;
/** Without an exponent, no number of fewer characters is too large or too small. */
const OUT_OF_RANGE_LENGTH = 220;

/** Whether a number may be too large or too small for a double. */
export const mayLeaveRange = (json: string): boolean =>
  EXPONENT.test(json) || hasLongNumber(json, OUT_OF_RANGE_LENGTH);

interface Rounded {
  readonly path: readonly string[];
  readonly written: string;
  /** The number that JSON readers make of it. */
  readonly value: number;
}

/**
 * The first number beyond 2^53 that JSON.parse rounds, so that it is written differently afterwards:
 * `9007199254740993` is one, `6.02214076e23` is none. `fields`: looks only there. The text has to be JSON; the parsed
 * value no longer shows the difference. Smaller numbers are not looked at: only the last digits of fractions change.
 */
export function firstRounded(json: string, fields?: readonly string[]): Rounded | undefined {
  return firstNumber(json, isRounded, fields);
}

/** The same, but for those that the nearest double equals, such as 2^60: they can be judged, though not given back. */
export function firstMisread(json: string): Rounded | undefined {
  return firstNumber(json, (written) => isRounded(written) && !isExact(written));
}

/** The first number that is not 0 and read as 0: too small for a double. */
export function firstVanishing(json: string): Rounded | undefined {
  const mayVanish = mayLeaveRange(json) && MAY_VANISH.test(json);
  return mayVanish ? findNumber(json, { isSought: isVanishing, longerThan: 0 }) : undefined;
}

function firstNumber(
  json: string,
  isSought: (written: string) => boolean,
  fields?: readonly string[],
): Rounded | undefined {
  // What is no number as a whole stands in a string.
  const mayBeMeant = (row: string) => !Number.isNaN(Number(row)) && isSought(row);
  return someLongNumber(json, EXACT_LENGTH + 1, mayBeMeant)
    ? findNumber(json, { isSought, fields, longerThan: EXACT_LENGTH })
    : undefined;
}

interface Search {
  readonly isSought: (written: string) => boolean;
  readonly fields?: readonly string[] | undefined;
  /** In characters. */
  readonly longerThan: number;
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source: string }) => unknown;

/** The first number for which `isSought` holds, in a text that has to be JSON, or one number of YAML. */
export function findNumber(json: string, { isSought, fields, longerThan }: Search): Rounded | undefined {
  const ofNumber = (value: number, written: string): Rounded | undefined =>
    written.length > longerThan && isSought(written) ? { path: [], written, value } : undefined;
  const only = Number(json);
  if (!Number.isNaN(only)) return ofNumber(only, json.trim());
  /** Of each object and array, for each of its members the first such number. */
  const foundIn = new Map<unknown, Rounded[]>();
  const reviver: Reviver = function (key, value, context) {
    const rounded = typeof value === 'number' ? ofNumber(value, context.source) : foundIn.get(value)?.[0];
    if (rounded !== undefined) {
      const roundedInside = foundIn.get(this) ?? [];
      roundedInside.push({ ...rounded, path: [key, ...rounded.path] });
      foundIn.set(this, roundedInside);
    }
    return value;
  };
  const document: unknown = JSON.parse(json, reviver as Parameters<typeof JSON.parse>[1]);
  return foundIn.get(document)?.find(({ path: [field = ''] }) => fields?.includes(field) ?? true);
}

function isRounded(written: string): boolean {
  if (written.length <= EXACT_LENGTH) return false;
  const value = Number(written);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  const digits = significantDigits(written, DIGITS_MAX + 1);
  if (digits <= EXACT_LENGTH) return !Number.isFinite(value);
  return digits > DIGITS_MAX || !haveSameDigits(written, String(value));
}

function isVanishing(written: string): boolean {
  return Number(written) === 0 && /^[-.0]*[1-9]/.test(written);
}

function isExact(written: string): boolean {
  const value = Number(written);
  if (!Number.isFinite(value) || significantDigits(written, EXACT_DIGITS_MAX + 1) > EXACT_DIGITS_MAX)
    return false;
  return decimalOf(written) === decimalOf(String(BigInt(value)));
}
