import { pointerStep } from '../../compare/json.ts';
import { ERRORS_HELD_MAX } from '../ajv/errorLimit.ts';
import type { Draft } from './draft.ts';
import type { Resource, Resources, Schema } from './resources.ts';

/** Of one value, what a schema has looked at: all else is left to `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  #names: Set<string> | undefined;
  #items: Set<number> | undefined;
  #leading = 0;

  addName(name: string): void {
    this.#names ??= new Set();
    this.#names.add(name);
  }

  addItem(at: number): void {
    this.#items ??= new Set();
    this.#items.add(at);
  }

  /** The first so many items. */
  addLeading(count: number): void {
    this.#leading = Math.max(this.#leading, count);
  }

  add(other: Evaluated): void {
    this.addLeading(other.#leading);
    for (const name of other.#names ?? []) this.addName(name);
    for (const at of other.#items ?? []) this.addItem(at);
  }

  hasName(name: string): boolean {
    return this.#names?.has(name) ?? false;
  }

  hasItem(at: number): boolean {
    return at < this.#leading || (this.#items?.has(at) ?? false);
  }
}

export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Errors on their way to the caller. */
export interface Errors {
  /** Nothing more needs to be looked at once there is an error. */
  readonly firstDecides: boolean;
  add(error: SchemaError): void;
}

/** For a schema of which only the verdict counts. */
export const UNHEARD: Errors = { firstDecides: true, add() {} };

/** Keeps errors until it is known whether they count. */
export function heldBack({
  firstDecides,
}: Pick<Errors, 'firstDecides'>): Errors & { readonly list: SchemaError[] } {
  const list: SchemaError[] = [];
  return {
    list,
    firstDecides,
    add(error) {
      if (list.length >= ERRORS_HELD_MAX) throw { errorsHeld: list };
      list.push(error);
    },
  };
}

/** Beyond it nobody reads on, and 10,000 errors may hold the name of one property each. */
const PATH_LENGTH_MAX = 1_000;

/** Where a part of the value is; not written down where nothing will be said about it. */
export function placeOf({ path, errors }: Pick<Visit, 'path' | 'errors'>, key: string | number): string {
  return errors === UNHEARD || path.length > PATH_LENGTH_MAX ? path : path + pointerStep(key);
}

/** The resources that references led through, the innermost first. */
export interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | null;
}

/** One schema applied to one value. */
export interface Visit {
  readonly value: unknown;
  readonly path: string;
  readonly scope: Scope;
  readonly evaluated: Evaluated;
  readonly errors: Errors;
}

/** A keyword of one schema, ready to look at values. */
export type Check = (visit: Visit) => boolean;

export interface Interpreter {
  readonly draft: Draft;
  readonly resources: Resources;
  /** Null when the value does not satisfy the schema. */
  evaluate(schema: unknown, visit: Omit<Visit, 'evaluated'>): Evaluated | null;
}

/** Makes the check of a keyword of `schema`; null when there is nothing to check. */
export type Keyword = (value: never, schema: Schema, interpreter: Interpreter) => Check | null;

export function fail(
  { errors, path }: Pick<Visit, 'errors' | 'path'>,
  keyword: string,
  message: string,
  params: Readonly<Record<string, unknown>> = {},
): false {
  if (errors !== UNHEARD) errors.add({ instancePath: path, keyword, message, params });
  return false;
}
