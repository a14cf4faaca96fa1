import type { Expression, Property, SpreadElement } from 'acorn';

/** What can be computed of a program without running it. */
export type Value =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'list'; readonly values: readonly unknown[] }
  | { readonly kind: 'pattern'; readonly source: string; readonly flags: string }
  /** The output as a text, as it is or changed. */
  | { readonly kind: 'text'; readonly isLower: boolean; readonly isTrimmed: boolean }
  /** A part of the JSON that the output is. `isRead`: the program reads it; else the output is no text there. */
  | { readonly kind: 'json'; readonly path: string; readonly isRead: boolean; readonly isLower?: boolean }
  | { readonly kind: 'number'; readonly of: Value; readonly isComplete: boolean }
  | { readonly kind: 'string'; readonly of: Value }
  | { readonly kind: 'length' | 'type'; readonly of: Value };

export interface Scope {
  /** Constants that the program declares before its answer, each with what is known where it is declared. */
  readonly names: ReadonlyMap<string, { readonly node: Expression; readonly scope: Scope }>;
  /** Variables of the test. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** Of the whole program. */
  readonly seen: Seen;
}

interface Seen {
  /** Constants that were looked up. */
  readonly names: Set<Expression>;
  /** How many nodes may still be looked at: a constant that stands twice in the next one is looked at twice. */
  left: number;
}

/** The constant of a name, which counts as looked up. */
export function constantOf(name: string, { names, seen }: Scope) {
  const found = names.get(name);
  if (found !== undefined) seen.names.add(found.node);
  return found;
}

const NAME = /^[\w$ -]{1,100}$/;

/** A member of JSON. */
export function inside(path: string, step: string | number, isRead: boolean): Value | undefined {
  if (typeof step === 'number') return { kind: 'json', path: `${path}[${step}]`, isRead };
  return NAME.test(step) && step !== '__proto__'
    ? { kind: 'json', path: `${path}['${step}']`, isRead }
    : undefined;
}

/** The field of an object that a program answers. */
export const fieldOf = (
  properties: readonly (Property | SpreadElement)[],
  name: string,
): Expression | undefined => {
  const found = properties.find(
    (one) =>
      one.type === 'Property' && !one.computed && one.key.type === 'Identifier' && one.key.name === name,
  );
  return found?.type === 'Property' ? found.value : undefined;
};
