import * as z from 'zod';
import {
  dataOf,
  descriptionSchema,
  expectedSchema,
  expectedVersion,
  expectedVersionQuery,
  inputSchema,
  jsonBytes,
  keptNumberSchema,
  keyedPageQuery,
  keySchema,
  nameSchema,
  pageOf,
  shareSchema,
  slugSchema,
  storedObjectSchema,
  timestampSchema,
  uuidSchema,
} from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { BAR_WRITE_ERRORS } from './base/errors.ts';
import { described } from './base/fields.ts';
import { EDIT, READ } from './base/rights.ts';
import { tagSchema, warnedFields } from './gates.ts';
import { caseInputSchema } from './outputs.ts';
import { latestOutcomeSchema } from './results/caseHistory.ts';

/** Of whatever resource an example of a body names. */
const EXAMPLE_ID = '6f1c2d3e-4a5b-4c6d-8e7f-90a1b2c3d4e5';

export const CASES_MAX = 10_000;
const TAGS_MAX = 20;
const EXAMPLES_MAX = 10;
const EXAMPLE_LENGTH_MAX = 8_000;
const EXAMPLES_BYTES_MAX = 32_768;

const exampleListSchema = z
  .array(z.string().max(EXAMPLE_LENGTH_MAX, 'at most 8,000 characters'))
  .max(EXAMPLES_MAX, `at most ${EXAMPLES_MAX} answers`)
  .default([]);

/** Answers that the scorer of the case has to pass, and answers that it has to fail. Checks of judges ask about them; runs don't. */
const examplesSchema = described(
  z
    .strictObject({ pass: exampleListSchema, fail: exampleListSchema })
    .refine(
      ({ pass, fail }) => new Set([...pass, ...fail]).size === pass.length + fail.length,
      'must not hold an answer twice, nor in both lists',
    )
    .refine((examples) => jsonBytes(examples) <= EXAMPLES_BYTES_MAX, 'at most 32 kB of JSON'),
  {
    label: 'Examples',
    hint: 'Of answers that a judge has to pass or fail: {"pass": ["…"], "fail": ["…"]}.',
    widget: 'json',
    isFurther: true,
  },
);
export type Examples = z.output<typeof examplesSchema>;
const NO_EXAMPLES = { pass: [], fail: [] };

/** While it lasts, the case is scored and shown, but holds no release up. */
const advisorySchema = z.object({
  owner: described(z.string().trim().min(1, 'must not be blank').max(200, 'at most 200 characters'), {
    label: 'Owner',
  }),
  reason: described(
    z.string().trim().min(10, 'at least 10 characters').max(2_000, 'at most 2,000 characters'),
    { label: 'Reason', hint: 'At least 10 characters.' },
  ),
  /** From then on the case gates again. */
  expires_at: timestampSchema,
});

/** Strict: a condition that was dropped would exempt a case for longer, or from more, than its author wanted. */
const sentAdvisorySchema = z.strictObject({
  ...advisorySchema.shape,
  expires_at: described(
    z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-30T12:00:00Z' }),
    { label: 'Until', hint: 'At most 90 days ahead. From then on it gates again.', widget: 'date' },
  ),
});

/** What decides, beside its score, how a case counts in the verdict. */
const ruleFields = {
  tags: described(
    z
      .array(tagSchema)
      .max(TAGS_MAX, `at most ${TAGS_MAX} tags`)
      .refine((tags) => new Set(tags).size === tags.length, 'names a tag twice'),
    { label: 'Tags', hint: 'Separated by commas.', widget: 'words', isFurther: true },
  ),
  must_pass: described(z.boolean(), {
    label: 'Must pass',
    hint: 'If it fails, the run is aborted.',
    isFurther: true,
  }),
  advisory: advisorySchema.nullable(),
  /** How many outputs the case takes. */
  sample_count: described(z.int().min(1).max(100), {
    label: 'Outputs of this case',
    hint: 'How often the program answers it.',
    isFurther: true,
  }),
  /** The share of them that has to pass; at least one. */
  sample_pass_rate: described(shareSchema, {
    label: 'Share of them that has to pass',
    hint: '0 to 1; at least one of them.',
    isFurther: true,
  }),
};

export const caseSchema = z.object({
  id: uuidSchema,
  suite_id: uuidSchema,
  /** By it, or by its id, outputs name the case. That of a restored case is its id where another one has taken its key. */
  key: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  input: storedObjectSchema,
  expected: z.unknown(),
  examples: z.object({ pass: z.array(z.string()), fail: z.array(z.string()) }),
  scorer_id: uuidSchema,
  threshold: shareSchema,
  weight: z.number(),
  is_active: z.boolean(),
  ...ruleFields,
  /** The position within the suite, from 0. */
  sort_order: z.int(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type EvalCase = z.infer<typeof caseSchema>;

const writtenCaseSchema = caseSchema.extend(warnedFields);

const reorderedCaseSchema = caseSchema
  .partial()
  .required({ id: true, suite_id: true, is_active: true, sort_order: true });

/** Of a key, also where it may be left out. */
const KEY_WORDS = {
  label: 'Key',
  hint: 'By which outputs name it. Left empty: made from the name.',
  isTrimmed: true,
  isFurther: true,
} as const;

const fields = {
  name: described(nameSchema, { label: 'Name', placeholder: 'Refund window', isTrimmed: true }),
  /** Unique in the suite, and not of the form of a UUID, unless the case has it already. */
  key: slugSchema,
  description: described(descriptionSchema, {
    label: 'Description',
    widget: 'area',
    isTrimmed: true,
    isFurther: true,
  }),
  input: described(inputSchema, {
    label: 'Input',
    hint: 'A JSON object: what the program gets, such as {"question": "…"}.',
    widget: 'json',
    sample: {},
  }),
  expected: described(expectedSchema, { label: 'Expected', widget: 'expected', sample: '' }),
  /** Replaced as a whole. */
  examples: examplesSchema,
  scorer_id: described(uuidSchema, {
    label: 'Scorer',
    hint: 'What a good output is measured by.',
    widget: 'scorer',
  }),
  threshold: described(shareSchema, {
    label: 'Threshold',
    hint: 'The least score that passes, 0 to 1.',
    isFurther: true,
  }),
  /** Its share in the pass rate. Bounded, so that a sum of 10,000 weights stays finite. */
  weight: described(keptNumberSchema.min(0).max(1_000_000), {
    label: 'Weight',
    hint: 'Its share in the pass rate.',
    isFurther: true,
  }),
  is_active: described(z.boolean(), { label: 'Active', isFurther: true }),
  ...ruleFields,
  /** Replaced as a whole. `expires_at` is at most 90 days ahead. A case that must pass can't be advisory. */
  advisory: described(sentAdvisorySchema.nullable(), {
    label: 'Advisory',
    hint: 'For a while it is scored and shown, and blocks no release.',
    widget: 'group',
    isFurther: true,
  }),
};

export const listCases = defineContract('cases/list', 'GET /v1/suites/:suiteId/cases', {
  summary: "A suite's cases in their order",
  scope: 'read',
  query: z.object({
    ...keyedPageQuery,
    /** How each case fared lately is answered, too. */
    outcomes: z.enum(['latest']).optional(),
  }),
  responses: {
    /** `latest_outcome`: where it is requested; null of a case that no run had. */
    200: pageOf(caseSchema.extend({ latest_outcome: latestOutcomeSchema.nullable().optional() })),
  },
  rights: { table: READ },
});

export const listInputs = defineContract('cases/inputs', 'GET /v1/suites/:suiteId/inputs', {
  summary: "The inputs of a suite's active cases, for a program that answers them",
  scope: 'result',
  query: z.object({
    /** `next_cursor` of the answer before. It is good for one version of the suite: 409 after a change. */
    cursor: z
      .string()
      .regex(/^\d{1,9}\.\d{1,9}$/, 'must be the next_cursor of an answer')
      .optional(),
  }),
  /** As many as fit into an answer, 1,000 at most. `next_cursor` is null where no more follow. */
  responses: { 200: z.object({ data: z.array(caseInputSchema), next_cursor: z.string().nullable() }) },
  /** 403: scope `run`, and the suite does not say `show_inputs`. */
  errors: ['SCOPE_REQUIRED', 'VERSION_CONFLICT'],
});

/** What a client sends to make one. */
export const newCaseSchema = z.object({
  ...fields,
  description: fields.description.default(null),
  expected: fields.expected.default(null),
  examples: fields.examples.default(NO_EXAMPLES),
  threshold: fields.threshold.default(0.5),
  weight: fields.weight.default(1),
  is_active: fields.is_active.default(true),
  /** Unique in the suite. Left out: made from the name. */
  key: described(keySchema.optional(), KEY_WORDS),
  tags: fields.tags.default([]),
  must_pass: fields.must_pass.default(false),
  advisory: fields.advisory.default(null),
  sample_count: fields.sample_count.default(1),
  sample_pass_rate: fields.sample_pass_rate.default(1),
});

/** A case as a form has it. */
export const caseFormSchema = described(newCaseSchema, {
  label: 'Case',
  further: 'Threshold, weight, tags and more',
});

const WRITES = { errors: BAR_WRITE_ERRORS, rights: { table: EDIT } } as const;

export const createCase = defineContract('cases/create', 'POST /v1/suites/:suiteId/cases', {
  summary: 'Add a case to the end of a suite',
  reauthentication: 'always',
  scope: 'suites',
  body: newCaseSchema,
  example: { name: 'Return window', input: {}, expected: 'yes', scorer_id: EXAMPLE_ID },
  responses: { 201: dataOf(writtenCaseSchema) },
  ...WRITES,
});

export const getCase = defineContract('cases/get', 'GET /v1/cases/:caseId', {
  summary: 'One case',
  scope: 'read',
  responses: { 200: dataOf(caseSchema) },
});

export const updateCase = defineContract('cases/update', 'PATCH /v1/cases/:caseId', {
  summary: 'Change a case',
  reauthentication: 'weaker',
  scope: 'suites',
  /** `expected_version`: of the suite. */
  body: z.object({ ...fields, ...expectedVersion }).partial(),
  example: { weight: 2, scorer_id: EXAMPLE_ID },
  responses: { 200: dataOf(writtenCaseSchema) },
  ...WRITES,
});

export const deleteCase = defineContract('cases/delete', 'DELETE /v1/cases/:caseId', {
  summary: 'Delete a case',
  reauthentication: 'always',
  scope: 'suites',
  query: expectedVersionQuery,
  responses: { 204: null },
  ...WRITES,
});

export const reorderCases = defineContract('cases/reorder', 'POST /v1/suites/:suiteId/cases/reorder', {
  summary: 'Put the cases of a suite into a new order',
  scope: 'suites',
  body: z.object({ case_ids: z.array(uuidSchema).max(CASES_MAX), ...expectedVersion }),
  /** If the answer would be too large, cases come without description, input, expected and examples, or with ids and order only. */
  example: { case_ids: [EXAMPLE_ID] },
  responses: { 200: dataOf(z.array(reorderedCaseSchema)) },
  ...WRITES,
});

export const caseContracts = [
  listCases,
  listInputs,
  createCase,
  getCase,
  updateCase,
  deleteCase,
  reorderCases,
];
