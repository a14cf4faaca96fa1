import { compileByAjv } from './ajvSchema.ts';
import { type Draft, draftOf, KNOWN_DRAFTS } from './drafts.ts';
import { isTooManyErrors } from './errorLimit.ts';
import { faultsOf } from './faults.ts';
import type { SchemaError } from './interpreter/evaluation.ts';
import { interpretSchema, KEYWORDS } from './interpreter/interpreter.ts';
import type { Schema } from './interpreter/resources.ts';
import { walkSchema } from './walk.ts';

export interface Findings {
  readonly valid: boolean;
  readonly errors: readonly SchemaError[];
}

/** Throws `TooManyErrors` when there are more errors than are held. */
export type Validator = (value: unknown) => Findings;

interface Options {
  readonly allErrors: boolean;
}

/**
 * A validator of one schema. Generated code judges ordinary schemas; those with keywords that it enforces in part only
 * are interpreted, and so is whatever it throws on. A stored schema that would be refused today is refused here, too.
 */
export function compileSchema(schema: Schema, options: Options = { allErrors: true }): Validator {
  const draft = draftOf(schema);
  if (draft === undefined) throw new Error(`$schema must be one of ${KNOWN_DRAFTS}`);
  if (isInterpreted(schema, draft)) return interpreting(schema, draft, options);
  try {
    return generated(schema, draft, options);
  } catch {
    return interpreting(schema, draft, options);
  }
}

function generated(schema: Schema, draft: Draft, options: Options): Validator {
  const validate = compileByAjv(schema, draft, options);
  let second: Validator | undefined;
  return (value) => {
    try {
      const valid = validate(value);
      return { valid, errors: valid ? [] : (validate.errors ?? []) };
    } catch (thrown) {
      if (isTooManyErrors(thrown)) throw thrown;
      second ??= interpreting(schema, draft, options);
      return second(value);
    }
  };
}

function interpreting(schema: Schema, draft: Draft, options: Options): Validator {
  return interpretSchema(schema, draft.version, options);
}

/** Keywords for which ajv loses sight of what was evaluated, or of the way that a reference came. */
const INTERPRETED = ['unevaluatedItems', 'unevaluatedProperties', '$dynamicRef', '$recursiveRef'];

function needsInterpreter(schema: Schema, root: Schema, draft: Draft): boolean {
  if (INTERPRETED.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  // ajv takes references below another `$id` for references to that, without end.
  if (schema !== root && (typeof schema.$id === 'string' || typeof schema.id === 'string')) return true;
  // Up to draft 07 nothing counts beside `$ref`; ajv lets it count.
  return draft.version <= 7 && typeof schema.$ref === 'string' && Object.keys(schema).some(countsBesideRef);
}

function countsBesideRef(keyword: string): boolean {
  return keyword === '$id' || keyword === 'id' || (keyword !== '$ref' && KEYWORDS.has(keyword));
}

/** Also throws what is wrong with the schema: it may have been stored before that was looked for. */
export function isInterpreted(root: Schema, draft: Draft): boolean {
  let found = false;
  walkSchema(root, (schema, path) => {
    for (const [keyword, message] of faultsOf(root, schema, draft)) {
      throw new Error(`${['schema', ...path, keyword].join('.')} ${message}`);
    }
    found ||= needsInterpreter(schema, root, draft);
  });
  return found;
}
