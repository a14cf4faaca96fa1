import { equalJson } from '../../../scoring/compare/equality.ts';
import { isSilent, type Kind } from './defaults.ts';
import type { Change } from './types.ts';

/** The named fields that differ. */
export function differing<T extends object>(
  names: readonly (keyof T & string)[],
  before: T,
  after: T,
): Change['fields'] {
  const changed = names.filter((name) => !equalJson(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}

/** What is made with these fields: those of them that are no defaults. */
export function nonDefaultFields<T extends object>(
  kind: Kind,
  names: readonly (keyof T & string)[],
  { key, resource }: { readonly key: string; readonly resource: T },
): Change['fields'] {
  const given = names.filter((name) => !isSilent(kind, key, name, resource[name]));
  return Object.fromEntries(given.map((name) => [name, { from: null, to: resource[name] }]));
}
