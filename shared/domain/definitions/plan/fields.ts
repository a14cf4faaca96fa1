import { isDeepStrictEqual } from 'node:util';
import { documentDigest } from '../../../scoring/digest/documents.ts';
import { isSilent, type Kind } from './defaults.ts';
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

/** What is made with these fields: those of them that are no defaults. */
export function made<T extends object>(
  kind: Kind,
  names: readonly (keyof T & string)[],
  { key, resource }: { readonly key: string; readonly resource: T },
): Change['fields'] {
  const told = names.filter((name) => !isSilent(kind, key, name, resource[name]));
  return Object.fromEntries(told.map((name) => [name, { from: null, to: resource[name] }]));
}
