import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { once } from '../kit/config.ts';
import type { DeterministicScorer, Guard } from '../kit/definition.ts';
import { isJsonObject, JSON_DEPTH_MAX, nestsDeeperThan } from '../kit/json.ts';
import { EXTRACT_WORDS, EXTRACTS } from '../kit/reading/extract.ts';
import { readingField } from '../kit/reading/fields.ts';
import { SCHEMA_RECURSION, SCHEMA_TIMEOUT } from '../schema/errors.ts';

const GUARD: Guard = { timeout: SCHEMA_TIMEOUT, limitMs: 250 };

/** Not copied: a copy would lose a property named `__proto__`. */
const configSchema = once(() =>
  described(
    z.strictObject({
      schema: described(z.custom<Record<string, unknown>>(isJsonObject, 'must be an object'), {
        label: 'Schema',
        widget: 'json',
        sample: { type: 'object', required: [] },
      }),
      extract: described(z.enum(EXTRACTS).optional(), EXTRACT_WORDS),
      ...readingField(),
    }),
    { label: 'JSON schema', hint: 'The output is JSON of a shape.' },
  ),
);
type Config = z.infer<ReturnType<typeof configSchema>>;

/** Properties of some 60 characters take up to 0.3 ms each before the code that compiles them is warm. */
const COMPILE_MS_PER_CHARACTER = 0.005;

/** The size is looked up where a deadline struck only: most schemas compile without that. */
function guardOf(schema: object): Guard {
  let compileMs: number | undefined;
  return {
    ...GUARD,
    get compileMs() {
      compileMs ??= nestsDeeperThan(schema, JSON_DEPTH_MAX) ? 0 : costOf(schema);
      return compileMs;
    },
  };
}

const costOf = (schema: object): number => JSON.stringify(schema).length * COMPILE_MS_PER_CHARACTER;

/** Twice the size of all the rest of scoring, and most runs have no schema. */
let validation: typeof import('../schema/scorer.ts') | undefined;

function loaded(): NonNullable<typeof validation> {
  if (validation === undefined) throw new Error('Schemas cannot be validated yet: await loadScorers first');
  return validation;
}

export const jsonSchema: DeterministicScorer<Config> = {
  type: 'json_schema',
  configSchema,
  errors: [SCHEMA_TIMEOUT, SCHEMA_RECURSION],
  async load() {
    validation ??= await import('../schema/scorer.ts');
  },
  check: ({ schema }, { time }) => loaded().checkSchema(schema, GUARD.limitMs, time),
  compile: ({ schema, extract = 'whole' }, options) =>
    loaded().schemaScorer(schema, { ...options, extract }, guardOf(schema)),
};
