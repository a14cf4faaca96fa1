import * as z from 'zod';
import {
  dataOf,
  descriptionSchema,
  nameSchema,
  pageOf,
  pageQuerySchema,
  slugSchema,
  timestampSchema,
  uuidSchema,
} from './base/common.ts';
import { defineContract } from './base/contract.ts';

export const projectSchema = z.object({
  id: uuidSchema,
  org_id: uuidSchema,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Project = z.infer<typeof projectSchema>;

export const projectParamsSchema = z.object({ slug: slugSchema });

export const listProjects = defineContract({
  id: 'projects/list',
  method: 'GET',
  path: '/v1/projects',
  summary: "The organisation's projects, most recent first",
  access: 'api_key',
  rateClass: 'general',
  query: pageQuerySchema,
  responses: { 200: pageOf(projectSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'RATE_LIMITED'],
});

export const createProject = defineContract({
  id: 'projects/create',
  method: 'POST',
  path: '/v1/projects',
  summary: 'Create a project',
  access: 'api_key',
  rateClass: 'general',
  body: z.object({
    name: nameSchema,
    slug: slugSchema.optional(),
    description: descriptionSchema.default(null),
  }),
  responses: { 201: dataOf(projectSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'RATE_LIMITED'],
});

export const getProject = defineContract({
  id: 'projects/get',
  method: 'GET',
  path: '/v1/projects/:slug',
  summary: 'One project',
  access: 'api_key',
  rateClass: 'general',
  params: projectParamsSchema,
  responses: { 200: dataOf(projectSchema) },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const updateProject = defineContract({
  id: 'projects/update',
  method: 'PATCH',
  path: '/v1/projects/:slug',
  summary: 'Change name or description',
  access: 'api_key',
  rateClass: 'general',
  params: projectParamsSchema,
  body: z.object({ name: nameSchema.optional(), description: descriptionSchema.optional() }),
  responses: { 200: dataOf(projectSchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const deleteProject = defineContract({
  id: 'projects/delete',
  method: 'DELETE',
  path: '/v1/projects/:slug',
  summary: 'Delete a project with its suites, cases, scorers and runs',
  access: 'api_key',
  rateClass: 'general',
  params: projectParamsSchema,
  responses: { 204: null },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});
