import { isDeepStrictEqual } from 'node:util';
import { documentDigest } from '../../../scoring/digest/documents.ts';
import type { Change } from './types.ts';

/** Whether both are the same JSON: `-0`, which a client may send, is stored as 0. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || documentDigest(one) === documentDigest(other);

/** The named fields that differ. */
export function differing<T extends object>(
  names: readonly (keyof T & string)[],
  before: T,
  after: T,
): Change['fields'] {
  const changed = names.filter((name) => !isSameJson(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}

/** What is made with these fields. */
export const made = <T extends object>(names: readonly (keyof T & string)[], resource: T): Change['fields'] =>
  Object.fromEntries(names.map((name) => [name, { from: null, to: resource[name] }]));
