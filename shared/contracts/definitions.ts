import * as z from 'zod';
import { dataOf, digestSchema, slugSchema, storedObjectSchema } from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { SCORER_TYPES } from './base/scorerTypes.ts';
import { CASES_MAX, caseSchema, newCaseSchema } from './cases.ts';
import { lastPushSchema } from './history/lastPush.ts';
import { newScorerSchema, SCORERS_MAX, scorerSchema } from './scorers.ts';
import { newSuiteSchema, suiteSchema } from './suites.ts';

const versionSchema = z.literal(1, 'must be 1, the version of this format');

/** Of a definition, without what names the suite. `name` left out: the slug. */
export const definedSuiteFields = {
  ...newSuiteSchema.omit({ slug: true }).shape,
  name: newSuiteSchema.shape.name.optional(),
  /** Jobs of the repository that holds the file can read it there. */
  show_inputs: newSuiteSchema.shape.show_inputs.unwrap().default(true),
};

/** Of a case in a definition, without what names it and its scorer. `name` left out: the key. */
export const definedCaseFields = {
  ...newCaseSchema.omit({ key: true, scorer_id: true }).shape,
  name: newCaseSchema.shape.name.optional(),
};

/** Of a scorer in a definition, without its key, type and config. `name` left out: the key. */
export const definedScorerFields = {
  ...newScorerSchema.omit({ key: true, type: true, config: true }).shape,
  name: newScorerSchema.shape.name.optional(),
};

const sentScorersSchema = z.record(
  slugSchema,
  z.strictObject({
    type: z.enum(SCORER_TYPES),
    config: newScorerSchema.shape.config,
    ...definedScorerFields,
  }),
);

/**
 * Scorers by their keys, which are counted before any is read. A zod record would silently drop a scorer named
 * `__proto__`.
 */
const namedScorersSchema = z
  .custom<z.input<typeof sentScorersSchema>>(
    (scorers) => !Object.hasOwn(Object(scorers), '__proto__'),
    'must not hold the name "__proto__"',
  )
  .refine((scorers) => Object.keys(Object(scorers)).length <= SCORERS_MAX, `at most ${SCORERS_MAX} scorers`)
  .pipe(sentScorersSchema);

/**
 * A suite as one document. What it leaves out has the default of the API, but for `show_inputs`. It is strict in all its parts: a field that
 * was ignored would be a lower bar. Keys may have the form of a UUID: those of some restored ones are their ids.
 */
export const sentDefinitionSchema = z.strictObject({
  version: versionSchema,
  /** The slug. */
  suite: slugSchema,
  ...definedSuiteFields,
  scorers: namedScorersSchema.default({}),
  /** In their order. `scorer`: its key. */
  cases: z
    .array(z.strictObject({ key: slugSchema, scorer: slugSchema, ...definedCaseFields }))
    .max(CASES_MAX, `at most ${CASES_MAX} cases`)
    .default([]),
});

const answeredSuiteFields = suiteSchema
  .extend({ show_results: z.boolean() })
  .pick({
    name: true,
    description: true,
    pass_threshold: true,
    gates: true,
    keep_outputs: true,
    show_expected: true,
    show_inputs: true,
    show_results: true,
  })
  .partial().shape;

export const definedScorerSchema = z.object({
  ...scorerSchema
    .pick({ name: true, dual_sided: true, precision_threshold: true, recall_threshold: true })
    .partial().shape,
  type: z.enum(SCORER_TYPES),
  /** Without fields that have the default of the type. */
  config: storedObjectSchema,
});

export const definedCaseSchema = z.object({
  ...caseSchema
    .omit({ id: true, suite_id: true, scorer_id: true, sort_order: true, created_at: true, updated_at: true })
    .partial().shape,
  key: z.string(),
  input: storedObjectSchema,
  /** The key of its scorer. Null for one that was deleted. */
  scorer: z.string().nullable(),
});

/** Fields that have the default of the API are left out, and a name that is the key or the slug. */
export const definitionSchema = z.object({
  /** Of this format. */
  version: versionSchema,
  /** The slug. */
  suite: z.string(),
  ...answeredSuiteFields,
  /** Those that its cases use, by their keys. */
  scorers: z.record(z.string(), definedScorerSchema),
  /** All of them, in their order. */
  cases: z.array(definedCaseSchema),
});
export type Definition = z.infer<typeof definitionSchema>;

/** Grows with every write to the suite, its cases, and the scorers of its project. 0: there is no such suite. */
export const definitionVersionSchema = z.int().min(0);
/** Of a definition: any field of it changes this, names, order and inactive cases included. */
export const definitionDigestSchema = digestSchema;

const answeredDefinitionSchema = z.object({
  definition_version: definitionVersionSchema,
  definition_digest: definitionDigestSchema,
  /** Of what decides a verdict. */
  suite_digest: digestSchema,
  last_push: lastPushSchema.nullable(),
  definition: definitionSchema,
});
export type AnsweredDefinition = z.infer<typeof answeredDefinitionSchema>;

export const getDefinition = defineContract(
  'definitions/get',
  'GET /v1/projects/:slug/suites/:suiteSlug/definition',
  {
    summary: 'A suite as one document: its fields, the scorers that it uses, its cases in their order',
    scope: 'read',
    responses: { 200: dataOf(answeredDefinitionSchema) },
    errors: ['VALIDATION_ERROR'],
    rights: { table: [], judge: true },
  },
);
