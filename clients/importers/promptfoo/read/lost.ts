import type { Part } from '../../../files/read/parts.ts';
import { isAssertionType } from './types.ts';
import { fieldOf, isRecord, itemsOf, recordOf } from './values.ts';

const NAME = /^(?:assert(?:s|ions?)?|__expected.*)$/i;
/** Whether a field of this name should hold assertions. */
export const isAssertionName = (name: string): boolean => NAME.test(name);

/** A map that is an assertion wherever it stands: words that name other things, too, need a value beside them. */
export function looksLikeAssertion(value: unknown): boolean {
  if (!isTyped(value) || !isRecord(value)) return false;
  const type = String(value.type);
  if (!isAssertionType(type)) return false;
  return type.includes('-') || ['value', 'threshold'].some((name) => Object.hasOwn(value, name));
}

/** What looks like an assertion in a part, each once. `isPlace`: whether the part itself should hold them. */
export function* lostIn(part: Part, isPlace: boolean, seen = new Set<unknown>()): Generator<Part> {
  const { value } = part;
  if (typeof value !== 'object' || value === null) {
    if (isPlace && isWritten(value)) yield part;
    return;
  }
  if (seen.has(value)) return;
  seen.add(value);
  if (looksLikeAssertion(value)) yield part;
  else yield* lostInside(part, isPlace, seen);
}

function* lostInside(part: Part, isPlace: boolean, seen: Set<unknown>): Generator<Part> {
  const isList = Array.isArray(part.value);
  for (const inner of innerOf(part)) {
    if (isList && isPlace && isTyped(inner.value)) yield inner;
    else yield* lostIn(inner, isList ? isPlace : isAssertionName(String(inner.path.at(-1))), seen);
  }
}

const isWritten = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const innerOf = (part: Part): Part[] =>
  Array.isArray(part.value)
    ? itemsOf(part)
    : Object.keys(recordOf(part.value)).map((name) => fieldOf(part, name));

/** A set stands for its assertions. */
const isTyped = (value: unknown): boolean =>
  isRecord(value) && typeof value.type === 'string' && value.type !== 'assert-set';

export const isReferred = ({ document, path }: Part): boolean => document.isReferred?.(path) === true;

/** The largest parts of a part that no other place refers to: the part itself, where none of it is referred to. */
export function unusedIn(part: Part, seen = new Set<unknown>()): Part[] {
  const { value } = part;
  if (isReferred(part)) return [];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [part];
  seen.add(value);
  const unused = innerOf(part).map((one) => ({ one, parts: unusedIn(one, seen) }));
  const isUnused = unused.every(({ one, parts }) => parts.length === 1 && parts[0] === one);
  return isUnused ? [part] : unused.flatMap(({ parts }) => parts);
}
