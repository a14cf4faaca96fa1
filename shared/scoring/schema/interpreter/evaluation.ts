import { pointerStep } from '../../kit/json.ts';
import { ERRORS_HELD_MAX } from '../ajv/errorLimit.ts';
import type { Draft } from './draft.ts';
import type { Resource, Resources, Schema } from './resources.ts';

/** The parts of one value that a schema has evaluated. `unevaluatedProperties` and `unevaluatedItems` get the others. */
export class Evaluated {
  #names: Set<string> | undefined;
  #items: Set<number> | undefined;
  #leading = 0;

  addName(name: string): void {
    this.#names ??= new Set();
    this.#names.add(name);
  }

  addItem(index: number): void {
    this.#items ??= new Set();
    this.#items.add(index);
  }

  addLeading(count: number): void {
    this.#leading = Math.max(this.#leading, count);
  }

  add(other: Evaluated): void {
    this.addLeading(other.#leading);
    for (const name of other.#names ?? []) this.addName(name);
    for (const index of other.#items ?? []) this.addItem(index);
  }

  hasName(name: string): boolean {
    return this.#names?.has(name) ?? false;
  }

  hasItem(index: number): boolean {
    return index < this.#leading || (this.#items?.has(index) ?? false);
  }
}

export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Errors {
  /** True if the first error ends the evaluation. */
  readonly firstDecides: boolean;
  add(error: SchemaError): void;
}

/** For a schema whose errors are not reported. */
export const UNHEARD: Errors = { firstDecides: true, add() {} };

/** Holds errors back until it is known whether they count. */
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

/** Bounded, because each of 10,000 errors may hold a long property name. */
const PATH_LENGTH_MAX = 1_000;

/** The path of a part of the value; not extended where errors are not reported. */
export function placeOf({ path, errors }: Pick<Visit, 'path' | 'errors'>, key: string | number): string {
  return errors === UNHEARD || path.length > PATH_LENGTH_MAX ? path : path + pointerStep(key);
}

/** The resources that references led through, the innermost first. */
export interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | null;
}

export interface Visit {
  readonly value: unknown;
  readonly path: string;
  readonly scope: Scope;
  readonly evaluated: Evaluated;
  readonly errors: Errors;
}

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
