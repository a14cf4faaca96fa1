import { isJsonObject } from '../../kit/json.ts';
import { schemaRegExp } from '../patterns.ts';
import { eachCurrent, requires } from './assertions.ts';
import {
  type Check,
  fail,
  heldBack,
  type Interpreter,
  type Keyword,
  placeOf,
  type SchemaError,
  UNHEARD,
  type Visit,
} from './evaluation.ts';
import { LIST_KEYWORDS } from './lists.ts';
import { REFERENCES } from './references.ts';
import type { Schema } from './resources.ts';

function childHolds(interpreter: Interpreter, schema: unknown, visit: Visit, key: string | number): boolean {
  const { scope, errors } = visit;
  const value = (visit.value as Record<string | number, unknown>)[key];
  return interpreter.evaluate(schema, { value, path: placeOf(visit, key), scope, errors }) !== null;
}

/** Whether the value itself satisfies a schema. If so, the schema's evaluations count. */
function holds(interpreter: Interpreter, schema: unknown, visit: Visit, errors = visit.errors): boolean {
  const evaluated = interpreter.evaluate(schema, { ...visit, errors });
  if (evaluated !== null) visit.evaluated.add(evaluated);
  return evaluated !== null;
}

interface Alternatives {
  readonly matching: number;
  readonly errors: readonly SchemaError[];
}

/** Evaluates each alternative once: nested alternatives would otherwise double the work at every level. */
function alternatives(
  interpreter: Interpreter,
  schemas: readonly unknown[],
  visit: Visit,
  enough: number,
): Alternatives {
  const held = visit.errors === UNHEARD ? null : heldBack(visit.errors);
  let matching = 0;
  for (const schema of schemas) {
    if (holds(interpreter, schema, visit, held ?? UNHEARD)) matching++;
    if (matching >= enough) break;
  }
  return { matching, errors: held?.list ?? [] };
}

function failAll(visit: Visit, { errors }: Alternatives, keyword: string, message: string): false {
  for (const error of errors) visit.errors.add(error);
  return fail(visit, keyword, message);
}

/** Keywords that apply other schemas to the same value or to its properties. */
export const APPLICATORS: Readonly<Record<string, Keyword>> = {
  ...REFERENCES,
  ...LIST_KEYWORDS,
  allOf: (schemas: readonly unknown[], _, interpreter) => (visit) => {
    let valid = true;
    for (const schema of schemas) if (!holds(interpreter, schema, visit)) valid = false;
    return valid;
  },
  anyOf: (schemas: readonly unknown[], _, interpreter) => (visit) => {
    const all = alternatives(interpreter, schemas, visit, Number.POSITIVE_INFINITY);
    return all.matching > 0 || failAll(visit, all, 'anyOf', 'must match a schema in anyOf');
  },
  oneOf: (schemas: readonly unknown[], _, interpreter) => (visit) => {
    const all = alternatives(interpreter, schemas, visit, 2);
    if (all.matching === 1) return true;
    const message = 'must match exactly one schema in oneOf';
    return all.matching === 0 ? failAll(visit, all, 'oneOf', message) : fail(visit, 'oneOf', message);
  },
  not: (schema: unknown, _, interpreter) => (visit) =>
    interpreter.evaluate(schema, { ...visit, errors: UNHEARD }) === null ||
    fail(visit, 'not', 'must NOT be valid'),
  if: (condition: unknown, schema, interpreter) => (visit) => {
    const branch = holds(interpreter, condition, visit, UNHEARD) ? 'then' : 'else';
    if (!Object.hasOwn(schema, branch) || holds(interpreter, schema[branch], visit)) return true;
    return fail(visit, 'if', `must match "${branch}" schema`);
  },
  properties: (byName: Schema, _, interpreter) => {
    const entries = Object.entries(byName);
    return (visit) =>
      eachName(visit, entries, ([name, schema], value) =>
        Object.hasOwn(value, name) ? evaluateName(interpreter, schema, visit, name) : true,
      );
  },
  patternProperties: (byPattern: Schema, _, interpreter) => {
    const entries = Object.entries(byPattern).map(
      ([source, schema]) => [schemaRegExp(source), schema] as const,
    );
    return ofNames((visit, name) =>
      entries.every(
        ([pattern, schema]) => !pattern.test(name) || evaluateName(interpreter, schema, visit, name),
      ),
    );
  },
  additionalProperties: (schema: unknown, parent, interpreter) => {
    const isDeclared = declaredNames(parent);
    const restHolds = restCheck('additional', schema, interpreter);
    return ofNames((visit, name) => isDeclared(name) || restHolds(visit, name));
  },
  propertyNames: (schema: unknown, _, interpreter) =>
    ofNames((visit, name) => {
      const valid = interpreter.evaluate(schema, { ...visit, value: name }) !== null;
      return valid || fail(visit, 'propertyNames', 'property name must be valid', { propertyName: name });
    }),
  dependentSchemas: (byName: Schema, _, interpreter) =>
    eachCurrent(
      Object.entries(byName).map(([name, schema]) => [name, (visit) => holds(interpreter, schema, visit)]),
    ),
  dependencies: (byName: Schema, _, interpreter) =>
    eachCurrent(
      Object.entries(byName).map(([name, rule]) => [
        name,
        Array.isArray(rule)
          ? requires('dependencies', rule, name)
          : (visit) => holds(interpreter, rule, visit),
      ]),
    ),
  unevaluatedProperties: (schema: unknown, _, interpreter) => {
    const restHolds = restCheck('unevaluated', schema, interpreter);
    return ofNames((visit, name) => visit.evaluated.hasName(name) || restHolds(visit, name));
  },
};

function ofNames(check: (visit: Visit, name: string) => boolean): Check {
  return (visit) =>
    !isJsonObject(visit.value) || eachName(visit, Object.keys(visit.value), (name) => check(visit, name));
}

/** Whether the check holds for all. Goes on after a failure if all errors are wanted. */
function eachName<T>(visit: Visit, all: readonly T[], check: (entry: T, value: Schema) => boolean): boolean {
  const { value, errors } = visit;
  if (!isJsonObject(value)) return true;
  let valid = true;
  for (const entry of all) {
    if (check(entry, value)) continue;
    if (errors.firstDecides) return false;
    valid = false;
  }
  return valid;
}

function evaluateName(interpreter: Interpreter, schema: unknown, visit: Visit, name: string): boolean {
  visit.evaluated.addName(name);
  return childHolds(interpreter, schema, visit, name);
}

function restCheck(kind: 'additional' | 'unevaluated', schema: unknown, interpreter: Interpreter) {
  if (schema !== false) return (visit: Visit, name: string) => evaluateName(interpreter, schema, visit, name);
  return (visit: Visit, name: string) =>
    fail(visit, `${kind}Properties`, `must NOT have ${kind} properties`, { [`${kind}Property`]: name });
}

function declaredNames(schema: Schema): (name: string) => boolean {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const patterns = isJsonObject(schema.patternProperties)
    ? Object.keys(schema.patternProperties).map((source) => schemaRegExp(source))
    : [];
  return (name) => Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name));
}
