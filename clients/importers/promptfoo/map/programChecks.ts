import { escaped, foldedPattern } from '../../imports/escaped.ts';
import type { Fields } from '../read/values.ts';

/** What a comparison asks of the text of the output. */
export type TextCheck = { readonly isNot: boolean } & (
  | { readonly holds: string; readonly isFolded: boolean }
  | { readonly equals: string }
  | { readonly pattern: string; readonly flags: string }
);

/** Assertions of `json_path`. */
export interface JsonCheck {
  readonly assertions: readonly Fields[];
  readonly differences: readonly string[];
}

const READ_AS_JSON =
  'there the output is JSON already, by its provider or a transform: here the text of it is read as JSON';
const NUMBERS_ONLY = 'there a text that reads as a number is compared, too';
const NO_NUMBERS = 'there what reads as this text is equal to it, a number too: here only the text is';
const MUST_BE_THERE = 'there a missing value is unlike it, too: here it has to be there';
const COUNTED =
  'there `length` counts UTF-16 units of a text, here characters, and members of an object, too';

const LENGTH_MAX = 99_999;
export type Place =
  | { readonly isText: true; readonly isLower: boolean; readonly isTrimmed: boolean }
  /** A part of the JSON that the output is. `isRead`: the program reads it; else the output is no text there. */
  | { readonly isText: false; readonly path: string; readonly isRead: boolean };
type Text = Extract<Place, { isText: true }>;
export type Json = Extract<Place, { isText: false }>;

const STRING_METHODS = new Set(Object.getOwnPropertyNames(String.prototype));

/** A member of JSON. What has members is no text. */
export function partOf(place: Place, step: string | number): Json | undefined {
  const isText = typeof step === 'string';
  if (isText && (!/^[\w$ -]{1,100}$/.test(step) || ['__proto__', 'length'].includes(step))) return undefined;
  if (!isText && (!Number.isInteger(step) || step < 0 || step >= 1e6)) return undefined;
  if (place.isText && (place.isLower || place.isTrimmed || STRING_METHODS.has(String(step))))
    return undefined;
  const { path, isRead } = place.isText ? { path: '$', isRead: false } : place;
  return { isText: false, path: isText ? `${path}['${step}']` : `${path}[${step}]`, isRead };
}

const jsonCheck = (
  { path, isRead }: Json,
  assertions: readonly Fields[],
  differences: readonly string[] = [],
): JsonCheck => ({
  assertions: assertions.map((assertion) => ({ path, ...assertion })),
  differences: isRead ? differences : [READ_AS_JSON, ...differences],
});

export function holdingOf(place: Place, method: string, value: unknown, isNot: boolean) {
  if (!place.isText) {
    const differences = typeof value === 'string' ? [] : [NUMBERS_ONLY];
    return method === 'includes' && value !== '' && !isNot
      ? jsonCheck(place, [{ op: 'contains', value }], differences)
      : undefined;
  }
  if (typeof value !== 'string' || value === '' || neverIn(place, value)) return undefined;
  if (method === 'includes') return { holds: value, isFolded: place.isLower, isNot };
  const text = place.isLower ? foldedPattern(value) : escaped(value);
  const blank = place.isTrimmed ? '\\s*' : '';
  if (text === undefined) return undefined;
  return { pattern: method === 'endsWith' ? `${text}${blank}$` : `^${blank}${text}`, flags: '', isNot };
}

const neverIn = ({ isLower, isTrimmed }: Text, value: string): boolean =>
  (isLower && value !== value.toLowerCase()) || (isTrimmed && value !== value.trim());

export function equalOf(place: Text, operator: string, value: unknown): TextCheck | undefined {
  if (typeof value !== 'string' || neverIn(place, value) || !/^[=!]/.test(operator)) return undefined;
  const isNot = operator.startsWith('!');
  if (!place.isLower && !place.isTrimmed) return { equals: value, isNot };
  const text = place.isLower ? foldedPattern(value) : escaped(value);
  const blank = place.isTrimmed ? '\\s*' : '';
  return text === undefined ? undefined : { pattern: `^${blank}${text}${blank}$`, flags: '', isNot };
}

/** The least and the greatest length that an operator allows. */
function rangeOf(operator: string, bound: number): readonly [number, number] | undefined {
  if (!Number.isInteger(bound) || bound < 0 || bound > LENGTH_MAX) return undefined;
  const ranges: Readonly<Record<string, readonly [number, number]>> = {
    '<': [0, bound - 1],
    '<=': [0, bound],
    '>': [bound + 1, Number.POSITIVE_INFINITY],
    '>=': [bound, Number.POSITIVE_INFINITY],
    '===': [bound, bound],
    '==': [bound, bound],
  };
  const range = ranges[operator];
  const [least, most] = range ?? [0, 0];
  const isAlways = least === 0 && most === Number.POSITIVE_INFINITY;
  return isAlways || most < least ? undefined : range;
}

export function lengthOf(place: Place, operator: string, bound: number): TextCheck | JsonCheck | undefined {
  const range = rangeOf(operator, bound);
  if (range === undefined) return undefined;
  return place.isText ? textLength(place, range) : jsonLength(place, range);
}

function jsonLength(place: Json, [least, most]: readonly [number, number]): JsonCheck {
  const assertions = [
    { op: 'length_gte', value: least },
    { op: 'length_lte', value: most },
  ];
  const isBound = ({ value }: { value: number }) => value > 0 && value < Number.POSITIVE_INFINITY;
  return jsonCheck(place, most === 0 ? assertions.slice(1) : assertions.filter(isBound), [COUNTED]);
}

function textLength(place: Text, [least, most]: readonly [number, number]): TextCheck | undefined {
  const isAtLeast = most === Number.POSITIVE_INFINITY;
  if (place.isTrimmed && least === 1 && isAtLeast) return { pattern: '\\S', flags: '', isNot: false };
  if (place.isLower || place.isTrimmed) return undefined;
  const range = least === most ? least : `${least},${isAtLeast ? '' : most}`;
  // Without the flag `u` a pattern counts as `length` does.
  return { pattern: `^[^]{${range}}$`, flags: '', isNot: false };
}

export function comparedJson(place: Json, operator: string, value: unknown): JsonCheck | undefined {
  switch (operator) {
    case '===':
      return jsonCheck(place, [{ op: 'equals', value }]);
    case '!==':
      return jsonCheck(place, [{ op: 'not_equals', value }], [MUST_BE_THERE]);
    case '==':
      return typeof value === 'string'
        ? jsonCheck(place, [{ op: 'equals', value }], [NO_NUMBERS])
        : undefined;
    case '!=':
      return value === null ? jsonCheck(place, [{ op: 'not_equals', value }]) : undefined;
    default: {
      if (typeof value !== 'number') return undefined;
      const bound = { op: operator.startsWith('<') ? 'lte' : 'gte', value };
      const isOpen = !operator.endsWith('=');
      return jsonCheck(place, isOpen ? [bound, { op: 'not_equals', value }] : [bound], [NUMBERS_ONLY]);
    }
  }
}
