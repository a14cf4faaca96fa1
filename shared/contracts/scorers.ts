import * as z from 'zod';
import {
  dataOf,
  documentObjectSchema,
  nameSchema,
  pageOf,
  pageQuerySchema,
  shareSchema,
  storedObjectSchema,
  timestampSchema,
  uuidSchema,
} from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { projectParamsSchema } from './projects.ts';

export const SCORER_TYPES = ['exact_match', 'regex', 'json_schema', 'contains', 'llm_judge'] as const;
export type ScorerType = (typeof SCORER_TYPES)[number];

const SCORER_CONFIG_BYTES_MAX = 131_072;

export const scorerSchema = z.object({
  id: uuidSchema,
  project_id: uuidSchema,
  name: z.string(),
  type: z.enum(SCORER_TYPES),
  config: storedObjectSchema,
  dual_sided: z.boolean(),
  precision_threshold: shareSchema.nullable(),
  recall_threshold: shareSchema.nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Scorer = z.infer<typeof scorerSchema>;

const scorerParamsSchema = z.object({ scorerId: uuidSchema });

/** What a config holds depends on the type: each scorer's own schema checks it when the scorer is written. */
const configSchema = documentObjectSchema(SCORER_CONFIG_BYTES_MAX);

export const listScorers = defineContract({
  id: 'scorers/list',
  method: 'GET',
  path: '/v1/projects/:slug/scorers',
  summary: "A project's scorers, most recent first",
  access: 'api_key',
  rateClass: 'general',
  params: projectParamsSchema,
  query: pageQuerySchema,
  responses: { 200: pageOf(scorerSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const createScorer = defineContract({
  id: 'scorers/create',
  method: 'POST',
  path: '/v1/projects/:slug/scorers',
  summary: 'Create a scorer',
  access: 'api_key',
  rateClass: 'general',
  params: projectParamsSchema,
  body: z.object({
    name: nameSchema,
    type: z.enum(SCORER_TYPES),
    config: configSchema,
    dual_sided: z.boolean().default(false),
    precision_threshold: shareSchema.nullable().default(null),
    recall_threshold: shareSchema.nullable().default(null),
  }),
  responses: { 201: dataOf(scorerSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const getScorer = defineContract({
  id: 'scorers/get',
  method: 'GET',
  path: '/v1/scorers/:scorerId',
  summary: 'One scorer',
  access: 'api_key',
  rateClass: 'general',
  params: scorerParamsSchema,
  responses: { 200: dataOf(scorerSchema) },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const updateScorer = defineContract({
  id: 'scorers/update',
  method: 'PATCH',
  path: '/v1/scorers/:scorerId',
  summary: 'Change a scorer',
  access: 'api_key',
  rateClass: 'general',
  params: scorerParamsSchema,
  body: z.object({
    name: nameSchema.optional(),
    type: z.enum(SCORER_TYPES).optional(),
    config: configSchema.optional(),
    dual_sided: z.boolean().optional(),
    precision_threshold: shareSchema.nullable().optional(),
    recall_threshold: shareSchema.nullable().optional(),
  }),
  responses: { 200: dataOf(scorerSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const deleteScorer = defineContract({
  id: 'scorers/delete',
  method: 'DELETE',
  path: '/v1/scorers/:scorerId',
  summary: 'Delete a scorer; cases that use it fail until they get another',
  access: 'api_key',
  rateClass: 'general',
  params: scorerParamsSchema,
  responses: { 204: null },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});
