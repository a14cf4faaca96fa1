import type { Place } from './problems.ts';

export type Path = readonly PropertyKey[];

/** A document that was read, and the places of its parts. */
export interface Located {
  readonly value: unknown;
  /** Where the value at this path stands, or the innermost part around it that is there. */
  at(path: Path): Place;
  /** Where the name of this field stands. */
  atName(path: Path): Place;
  /** Whether another place of the document refers to the value at this path. */
  isReferred?(path: Path): boolean;
}

/** A part of a document, with an identity of its own. */
export interface Part {
  readonly document: Located;
  /** Where it stands in the document. */
  readonly path: Path;
  readonly value: unknown;
}

const NAME_SHOWN_MAX = 100;

/** `cases[2].threshold`; `the file` for all of it. */
export function inWords(path: Path): string {
  if (path.length === 0) return 'the file';
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return `${index === 0 ? '' : '.'}${String(step).slice(0, NAME_SHOWN_MAX)}`;
    })
    .join('');
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The field of an object, or the item of a list, by a name of a stranger's: never what every object inherits. */
export const ownOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<PropertyKey, unknown>>)[name]
    : undefined;
