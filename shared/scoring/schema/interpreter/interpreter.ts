import { isJsonObject } from '../../kit/json.ts';
import { APPLICATORS } from './applicators.ts';
import { ASSERTIONS } from './assertions.ts';
import { type Draft, interpretedDraft, isOnlyReference, placesOf, referencesOf } from './draft.ts';
import {
  type Check,
  Evaluated,
  fail,
  heldBack,
  type Interpreter,
  type Keyword,
  type SchemaError,
  type Visit,
} from './evaluation.ts';
import { isKnown } from './known.ts';
import { Resources, type Schema } from './resources.ts';

/** These come last, because they need the evaluations of all other keywords. */
const LAST = ['unevaluatedItems', 'unevaluatedProperties'];
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({ ...ASSERTIONS, ...APPLICATORS }),
);

/** Slower than ajv's generated code, but correct where ajv is not. Schemas share nothing. */
export function interpretSchema(
  root: Schema,
  version: Draft['version'],
  options: { readonly allErrors: boolean; readonly resources?: Resources },
): (value: unknown) => { valid: boolean; errors: SchemaError[] } {
  const draft = interpretedDraft(version);
  const { resources = new Resources(root, draft) } = options;
  const checks = new Map<object, readonly Check[]>();
  const interpreter: Interpreter = {
    draft,
    resources,
    evaluate: (schema, visit) => {
      if (schema === true) return new Evaluated();
      if (!isJsonObject(schema)) {
        fail(visit, 'false schema', 'boolean schema is false');
        return null;
      }
      return evaluated(visit, checks.get(schema) ?? prepared(schema), resources.of(schema));
    },
  };
  const prepared = (schema: Schema) => {
    const schemaChecks = checksOf(schema, interpreter);
    checks.set(schema, schemaChecks);
    return schemaChecks;
  };
  prepareAll(root, interpreter, prepared);
  return (value) => {
    const errors = heldBack({ firstDecides: !options.allErrors });
    const visit = { value, path: '', scope: { resource: resources.main, outer: null }, errors };
    return { valid: interpreter.evaluate(root, visit) !== null, errors: errors.list };
  };
}

function evaluated(
  { value, path, scope, errors }: Omit<Visit, 'evaluated'>,
  checks: readonly Check[],
  resource: Visit['scope']['resource'],
): Evaluated | null {
  const inner = scope.resource === resource ? scope : { resource, outer: scope };
  const visit: Visit = { value, path, scope: inner, evaluated: new Evaluated(), errors };
  let valid = true;
  for (const check of checks) {
    if (check(visit)) continue;
    if (errors.firstDecides) return null;
    valid = false;
  }
  return valid ? visit.evaluated : null;
}

function checksOf(schema: Schema, interpreter: Interpreter): readonly Check[] {
  const { draft } = interpreter;
  const named = Object.keys(schema).filter((keyword) => isKnown(keyword, draft.version));
  const used = isOnlyReference(schema, draft) ? ['$ref'] : named;
  const inOrder = [
    ...used.filter((name) => !LAST.includes(name)),
    ...used.filter((name) => LAST.includes(name)),
  ];
  return inOrder
    .map((name) => KEYWORDS.get(name)?.(schema[name] as never, schema, interpreter) ?? null)
    .filter((check) => check !== null);
}

/** Finds dangling references, and patterns that don't compile, before a value is validated. */
function prepareAll(root: Schema, interpreter: Interpreter, prepare: (schema: Schema) => unknown): void {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [root];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (!isJsonObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    prepare(schema);
    waiting.push(...appliedBy(schema, interpreter));
  }
}

/** The schemas that one schema applies, including those that it references. */
function* appliedBy(schema: Schema, { resources, draft }: Interpreter): Generator<unknown> {
  const { $defs: _, definitions: __, ...applied } = schema;
  if (!isOnlyReference(schema, draft)) for (const [, child] of placesOf(applied, draft)) yield child;
  for (const reference of referencesOf(schema, draft)) yield resources.resolve(schema, reference).schema;
}
