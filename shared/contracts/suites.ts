import * as z from 'zod';
import {
  dataOf,
  descriptionSchema,
  digestSchema,
  expectedVersion,
  expectedVersionQuery,
  nameSchema,
  pageOf,
  pageQuerySchema,
  shareSchema,
  slugSchema,
  timestampSchema,
  uuidSchema,
  versionSchema,
} from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { BAR_WRITE_ERRORS } from './base/errors.ts';
import { described } from './base/fields.ts';
import { PROVIDER_VALUES } from './base/providers.ts';
import { reliabilitySchema } from './base/reliability.ts';
import { DELETE_HEAD, EDIT, READ, WRITE } from './base/rights.ts';
import { barWarningSchema, gatesSchema, RUN_STATUSES, sentGatesSchema, warnedFields } from './gates.ts';
import { lastPushSchema } from './history/lastPush.ts';
import { originFields } from './results/origin.ts';

/** `failed`: errored results, too. Suites made before this existed keep none. */
export const KEPT_OUTPUTS = ['failed', 'all', 'none'] as const;
const keepOutputsSchema = described(z.enum(KEPT_OUTPUTS), {
  label: 'Outputs are kept',
  result: 'Outputs kept',
  hint: 'As excerpts of 2,000 characters, with each run.',
  options: { failed: 'of failed cases', all: 'of all cases', none: 'none' },
});

export const suiteSchema = z.object({
  id: uuidSchema,
  project_id: uuidSchema,
  name: z.string(),
  slug: z.string(),
  /** Null for credentials of scope `run`. */
  description: z.string().nullable(),
  pass_threshold: shareSchema,
  /** The bars beside `pass_threshold`; a PATCH replaces them all. */
  gates: gatesSchema,
  /** Of which results a run keeps excerpts of input, expected and output. */
  keep_outputs: keepOutputsSchema,
  /** Whether credentials of scope `run` see excerpts of what cases expect. */
  show_expected: z.boolean(),
  /** Whether credentials of scope `run` read the inputs of cases; a definition that leaves it out says true. */
  show_inputs: z.boolean(),
  /** Whether credentials of scope `run` see how single cases fared. It holds for runs that are accepted from then on. Suites made before this existed show them. */
  show_results: z.boolean().default(true),
  /** Grows by one with every change of the suite or a case of it. */
  version: versionSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Suite = z.infer<typeof suiteSchema>;

/** Of its run, and apart from its schema, which is large. */
export const latestRunSchema = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  pass_rate: shareSchema,
  inconclusive: z.boolean(),
  ...originFields,
  created_at: timestampSchema,
});
export type LatestRun = z.infer<typeof latestRunSchema>;

export const shownSuiteSchema = suiteSchema.extend({
  /** The default branch's newest that the plan retains, pending ones included; without one the newest of any; or null. */
  latest_run: latestRunSchema.nullable(),
  /** What runs are compared with; null without one. */
  baseline_id: uuidSchema.nullable(),
  /** The last push that changed it, its cases or its scorers: the next one takes back what is edited by hand. */
  last_push: lastPushSchema.nullable(),
});

export const listSuites = defineContract('suites/list', 'GET /v1/projects/:slug/suites', {
  summary: "A project's suites, most recent first",
  scope: 'read',
  query: pageQuerySchema,
  responses: { 200: pageOf(shownSuiteSchema) },
  rights: { table: READ },
});

/** What a client sends to make one. */
export const newSuiteSchema = z.object({
  name: described(nameSchema, { label: 'Name', placeholder: 'Returns', isTrimmed: true }),
  slug: slugSchema.optional(),
  description: described(descriptionSchema, { label: 'Description', isTrimmed: true }).default(null),
  pass_threshold: described(shareSchema, {
    label: 'Pass threshold',
    hint: 'The share of the cases, by weight, that has to pass.',
    unit: 'percent',
    sample: 0.9,
  }).default(1),
  gates: sentGatesSchema.default({}),
  keep_outputs: keepOutputsSchema.default('failed'),
  show_expected: described(z.boolean(), {
    label: 'Keys of scope run see what cases expect',
  }).default(false),
  show_inputs: described(z.boolean(), {
    label: 'Keys of scope run read the inputs of cases',
  }).default(false),
  show_results: described(z.boolean(), {
    label: 'Keys of scope run see which cases failed',
    hint: 'Without it they get figures only. It holds for later runs.',
  }).default(true),
});

/** What a run has to reach, as a form has it: all gates that there are, each of which may be left empty. */
export const suiteFormSchema = newSuiteSchema.omit({ slug: true }).extend({ gates: gatesSchema });

/** Of the suite that had the slug: see `domain/suites/formerSuite.ts`. */
const OF_FORMER = ['OWNED_ELSEWHERE', 'STALE_PUSH'] as const;

export const createSuite = defineContract('suites/create', 'POST /v1/projects/:slug/suites', {
  summary: 'Create a suite',
  scope: 'suites',
  body: newSuiteSchema,
  example: { name: 'Returns', pass_threshold: 0.9 },
  responses: { 201: dataOf(shownSuiteSchema) },
  errors: OF_FORMER,
  rights: { table: [...EDIT, 'Query', 'ConditionCheckItem'] },
});

export const createSuiteFromTemplate = defineContract(
  'suites/createFromTemplate',
  'POST /v1/projects/:slug/suites/from-template',
  {
    summary: 'Create a suite with the cases and scorers of a template',
    scope: 'suites',
    body: z.object({
      template_slug: z.string(),
      name: nameSchema.optional(),
      slug: slugSchema.optional(),
    }),
    example: { template_slug: 'code-review' },
    responses: { 201: dataOf(shownSuiteSchema) },
    errors: OF_FORMER,
    rights: { table: [...EDIT, 'Query'] },
  },
);

export const getSuite = defineContract('suites/get', 'GET /v1/projects/:slug/suites/:suiteSlug', {
  summary: 'One suite',
  scope: 'result',
  responses: { 200: dataOf(shownSuiteSchema) },
  rights: { table: READ },
});

export const getSuiteById = defineContract('suites/getById', 'GET /v1/suites/:suiteId', {
  summary: 'One suite, by its id',
  scope: 'result',
  responses: { 200: dataOf(shownSuiteSchema) },
  rights: { table: READ },
});

const revisionSchema = z.object({
  digest: digestSchema,
  /** The version of the scorers and of how results become a verdict. */
  scoring: z.int(),
  pass_threshold: shareSchema,
  gates: gatesSchema,
  /** Active cases. */
  case_count: z.int(),
  /** Those of them that no advisory takes out of the gates. */
  gating_cases: z.int(),
  /** A model is null where neither scorer nor deployment names one, and for scope `run`: configs name models. */
  judges: z.array(z.object({ provider: z.enum(PROVIDER_VALUES), model: z.string().nullable() })),
  reliability: reliabilitySchema,
});
export type Revision = z.infer<typeof revisionSchema>;

export const getRevision = defineContract('suites/revision', 'GET /v1/suites/:suiteId/revision', {
  summary: 'What decides a verdict of the suite at this moment, as a digest',
  scope: 'result',
  responses: { 200: dataOf(revisionSchema) },
  rights: { table: [], judge: true },
});

export const getSuiteWarnings = defineContract('suites/warnings', 'GET /v1/suites/:suiteId/warnings', {
  summary:
    'What is wrong with the bar of the suite: which answers it would clear, and which cases none passes',
  scope: 'read',
  responses: { 200: dataOf(z.object({ warnings: z.array(barWarningSchema) })) },
  errors: ['VALIDATION_ERROR'],
});

export const updateSuite = defineContract('suites/update', 'PATCH /v1/projects/:slug/suites/:suiteSlug', {
  summary: 'Change a suite',
  reauthentication: 'weaker',
  scope: 'suites',
  body: z.object({
    name: nameSchema.optional(),
    description: descriptionSchema.optional(),
    pass_threshold: shareSchema.optional(),
    gates: sentGatesSchema.optional(),
    keep_outputs: keepOutputsSchema.optional(),
    show_expected: z.boolean().optional(),
    show_inputs: z.boolean().optional(),
    show_results: z.boolean().optional(),
    ...expectedVersion,
  }),
  example: { pass_threshold: 0.95 },
  responses: { 200: dataOf(shownSuiteSchema.extend(warnedFields)) },
  errors: BAR_WRITE_ERRORS,
  rights: { table: WRITE },
});

export const deleteSuite = defineContract('suites/delete', 'DELETE /v1/projects/:slug/suites/:suiteSlug', {
  summary: 'Delete a suite with its cases',
  reauthentication: 'always',
  scope: 'suites',
  query: expectedVersionQuery,
  responses: { 204: null },
  errors: BAR_WRITE_ERRORS,
  rights: { table: DELETE_HEAD },
});

export const suiteContracts = [
  listSuites,
  createSuite,
  createSuiteFromTemplate,
  getSuite,
  getSuiteById,
  getRevision,
  getSuiteWarnings,
  updateSuite,
  deleteSuite,
];
