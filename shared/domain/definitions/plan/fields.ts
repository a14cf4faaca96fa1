import { isDeepStrictEqual } from 'node:util';
import type { Change } from './types.ts';

/** The named fields that differ. */
export function differing<T extends object>(
  names: readonly (keyof T & string)[],
  before: T,
  after: T,
): Change['fields'] {
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}

/** What is made with these fields. */
export const made = <T extends object>(names: readonly (keyof T & string)[], resource: T): Change['fields'] =>
  Object.fromEntries(names.map((name) => [name, { from: null, to: resource[name] }]));
