import * as z from 'zod';
import {
  dataOf,
  descriptionSchema,
  expectedSchema,
  inputSchema,
  keptNumberSchema,
  nameSchema,
  pageOf,
  pageQuerySchema,
  shareSchema,
  storedObjectSchema,
  timestampSchema,
  uuidSchema,
} from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { suiteIdParamsSchema } from './suites.ts';

export const CASE_LIMIT = 10_000;

export const caseSchema = z.object({
  id: uuidSchema,
  suite_id: uuidSchema,
  name: z.string(),
  description: z.string().nullable(),
  input: storedObjectSchema,
  expected: z.unknown(),
  scorer_id: uuidSchema,
  threshold: shareSchema,
  weight: z.number(),
  is_active: z.boolean(),
  /** The position within the suite, from 0. */
  sort_order: z.int(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type EvalCase = z.infer<typeof caseSchema>;

const reorderedCaseSchema = caseSchema
  .partial()
  .required({ id: true, suite_id: true, is_active: true, sort_order: true });

const caseParamsSchema = z.object({ caseId: uuidSchema });

/** Bounded, so that a sum of 10,000 weights stays a number. */
const weightSchema = keptNumberSchema.min(0).max(1_000_000);

export const listCases = defineContract({
  id: 'cases/list',
  method: 'GET',
  path: '/v1/suites/:suiteId/cases',
  summary: "A suite's cases in their order",
  access: 'api_key',
  rateClass: 'general',
  params: suiteIdParamsSchema,
  query: pageQuerySchema,
  responses: { 200: pageOf(caseSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const createCase = defineContract({
  id: 'cases/create',
  method: 'POST',
  path: '/v1/suites/:suiteId/cases',
  summary: 'Add a case to the end of a suite',
  access: 'api_key',
  rateClass: 'general',
  params: suiteIdParamsSchema,
  body: z.object({
    name: nameSchema,
    description: descriptionSchema.default(null),
    input: inputSchema,
    expected: expectedSchema.default(null),
    scorer_id: uuidSchema,
    threshold: shareSchema.default(0.5),
    weight: weightSchema.default(1),
    is_active: z.boolean().default(true),
  }),
  responses: { 201: dataOf(caseSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const getCase = defineContract({
  id: 'cases/get',
  method: 'GET',
  path: '/v1/cases/:caseId',
  summary: 'One case',
  access: 'api_key',
  rateClass: 'general',
  params: caseParamsSchema,
  responses: { 200: dataOf(caseSchema) },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const updateCase = defineContract({
  id: 'cases/update',
  method: 'PATCH',
  path: '/v1/cases/:caseId',
  summary: 'Change a case',
  access: 'api_key',
  rateClass: 'general',
  params: caseParamsSchema,
  body: z.object({
    name: nameSchema.optional(),
    description: descriptionSchema.optional(),
    input: inputSchema.optional(),
    expected: expectedSchema.optional(),
    scorer_id: uuidSchema.optional(),
    threshold: shareSchema.optional(),
    weight: weightSchema.optional(),
    is_active: z.boolean().optional(),
  }),
  responses: { 200: dataOf(caseSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const deleteCase = defineContract({
  id: 'cases/delete',
  method: 'DELETE',
  path: '/v1/cases/:caseId',
  summary: 'Delete a case',
  access: 'api_key',
  rateClass: 'general',
  params: caseParamsSchema,
  responses: { 204: null },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const reorderCases = defineContract({
  id: 'cases/reorder',
  method: 'POST',
  path: '/v1/suites/:suiteId/cases/reorder',
  summary: 'Put the cases of a suite into a new order',
  access: 'api_key',
  rateClass: 'general',
  params: suiteIdParamsSchema,
  body: z.object({ case_ids: z.array(uuidSchema).max(CASE_LIMIT) }),
  /** Cases whose documents are more than an answer holds come without them; names and the like are left out at last. */
  responses: { 200: dataOf(z.array(reorderedCaseSchema)) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});
