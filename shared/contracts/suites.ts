import * as z from 'zod';
import {
  dataOf,
  descriptionSchema,
  nameSchema,
  pageOf,
  pageQuerySchema,
  shareSchema,
  slugSchema,
  timestampSchema,
  uuidSchema,
} from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { example } from './base/example.ts';
import { gatesSchema, sentGatesSchema } from './gates.ts';

/** `failed`: errored results, too. Suites made before this existed keep none. */
export const KEPT_OUTPUTS = ['failed', 'all', 'none'] as const;
const keepOutputsSchema = z.enum(KEPT_OUTPUTS);

export const suiteSchema = z.object({
  id: uuidSchema,
  project_id: uuidSchema,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  pass_threshold: shareSchema,
  /** The bars beside `pass_threshold`; a PATCH replaces them all. */
  gates: gatesSchema.default({}),
  /** Of which results a run keeps excerpts of input, expected and output. */
  keep_outputs: keepOutputsSchema.default('none'),
  /** Whether credentials of scope `run` see excerpts of what cases expect. */
  show_expected: z.boolean().default(false),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Suite = z.infer<typeof suiteSchema>;

export const listSuites = defineContract('suites/list', 'GET /v1/projects/:slug/suites', {
  summary: "A project's suites, most recent first",
  query: pageQuerySchema,
  responses: { 200: pageOf(suiteSchema) },
});

export const createSuite = defineContract('suites/create', 'POST /v1/projects/:slug/suites', {
  summary: 'Create a suite',
  body: z.object({
    name: nameSchema,
    slug: slugSchema.optional(),
    description: descriptionSchema.default(null),
    pass_threshold: shareSchema.default(1),
    gates: sentGatesSchema.default({}),
    keep_outputs: keepOutputsSchema.default('failed'),
    show_expected: z.boolean().default(false),
  }),
  example: example({ name: 'Returns', pass_threshold: 0.9 }),
  responses: { 201: dataOf(suiteSchema) },
});

export const createSuiteFromTemplate = defineContract(
  'suites/createFromTemplate',
  'POST /v1/projects/:slug/suites/from-template',
  {
    summary: 'Create a suite with the cases and scorers of a template',
    body: z.object({
      template_slug: z.string(),
      name: nameSchema.optional(),
      slug: slugSchema.optional(),
    }),
    example: example({ template_slug: 'code-review' }),
    responses: { 201: dataOf(suiteSchema) },
  },
);

export const getSuite = defineContract('suites/get', 'GET /v1/projects/:slug/suites/:suiteSlug', {
  summary: 'One suite',
  responses: { 200: dataOf(suiteSchema) },
});

export const updateSuite = defineContract('suites/update', 'PATCH /v1/projects/:slug/suites/:suiteSlug', {
  summary: 'Change a suite',
  body: z.object({
    name: nameSchema.optional(),
    description: descriptionSchema.optional(),
    pass_threshold: shareSchema.optional(),
    gates: sentGatesSchema.optional(),
    keep_outputs: keepOutputsSchema.optional(),
    show_expected: z.boolean().optional(),
  }),
  example: example({ pass_threshold: 0.95 }),
  responses: { 200: dataOf(suiteSchema) },
});

export const deleteSuite = defineContract('suites/delete', 'DELETE /v1/projects/:slug/suites/:suiteSlug', {
  summary: 'Delete a suite with its cases',
  responses: { 204: null },
});
