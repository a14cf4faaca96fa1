import { compileByAjv } from './ajv/ajvSchema.ts';
import { isTooManyErrors } from './ajv/errorLimit.ts';
import { type Draft, draftOf, KNOWN_DRAFTS } from './drafts.ts';
import { lastingFaults } from './faults.ts';
import { interpretedDraft } from './interpreter/draft.ts';
import type { SchemaError } from './interpreter/evaluation.ts';
import { interpretSchema } from './interpreter/interpreter.ts';
import { Resources, type Schema } from './interpreter/resources.ts';
import { isEnforceable } from './kinds.ts';
import { type NumberTraits, numberTraitsOf } from './numbers.ts';
import { needsInterpreter } from './routing.ts';
import { type Shape, shapeOf } from './shape.ts';

interface Findings {
  readonly valid: boolean;
  readonly errors: SchemaError[];
}

/** Throws `TooManyErrors` when there are more errors than are held. */
type Validate = (value: unknown) => Findings;

export interface Validator {
  readonly validate: Validate;
  /** Stops at the first error: for values with more errors than are held. */
  readonly validateToFirst: Validate;
  readonly isInterpreted: boolean;
  readonly numbers: NumberTraits;
  readonly shape: () => Shape;
}

/**
 * A validator of one schema. Generated code judges ordinary schemas; those with keywords that it enforces in part only
 * are interpreted, and so is every value on which it throws. A schema that was stored before a check existed is checked
 * here.
 */
export function compileSchema(schema: Schema): Validator {
  const draft = draftOf(schema);
  if (draft === undefined) throw new Error(`$schema must be one of ${KNOWN_DRAFTS}`);
  const resources = new Resources(schema, interpretedDraft(draft.version));
  const isInterpreted = isToInterpret(schema, draft, resources);
  const interpreted = later(() => interpretSchema(schema, draft.version, { allErrors: true, resources }));
  const toFirst = later(() => interpretSchema(schema, draft.version, { allErrors: false, resources }));
  return {
    validate: isInterpreted ? interpreted() : generated(schema, draft, interpreted),
    validateToFirst: (value) => toFirst()(value),
    isInterpreted,
    numbers: numberTraitsOf(resources.schemas),
    shape: later(() => shapeOf(schema, draft, resources)),
  };
}

function generated(schema: Schema, draft: Draft, interpreted: () => Validate): Validate {
  const validate = orNull(() => compileByAjv(schema, draft));
  if (validate === null) return interpreted();
  return (value) => {
    try {
      const valid = validate(value);
      return { valid, errors: valid ? [] : (validate.errors ?? []) };
    } catch (thrown) {
      if (isTooManyErrors(thrown)) throw thrown;
      return interpreted()(value);
    }
  };
}

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

function later<T>(make: () => T): () => T {
  let kept: T | undefined;
  return () => {
    kept ??= make();
    return kept;
  };
}

/** Throws for a schema that the checks of today refuse. */
function isToInterpret(root: Schema, draft: Draft, resources: Resources): boolean {
  let isInterpreted = false;
  for (const { schema, path } of resources.schemas) {
    const keywords = Object.keys(schema);
    const wrong = keywords.find((keyword) => !isEnforceable(keyword, schema[keyword], draft.version));
    if (wrong !== undefined)
      throw new Error(`${['schema', ...path, wrong].join('.')} has a value of a wrong type`);
    // Most schemas have these keywords only, and their first run need not check for faults.
    if (keywords.every((keyword) => isPlain(keyword, schema[keyword]))) continue;
    for (const [keyword, message] of lastingFaults(root, schema, draft)) {
      throw new Error(`${['schema', ...path, keyword].join('.')} ${message}`);
    }
    isInterpreted ||= needsInterpreter(schema, root, draft, resources);
  }
  return isInterpreted;
}

/** All drafts have these keywords, and compiling finds every fault in them. */
const PLAIN: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'title',
  'description',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
]);

function isPlain(keyword: string, value: unknown): boolean {
  return PLAIN.has(keyword) && !(keyword === 'properties' && Object.hasOwn(Object(value), '__proto__'));
}
