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
import { DELETE_HEAD, EDIT } from './base/rights.ts';

/** Bodies are strict: with a misspelt field, a project would not keep weaker bars to scope `full`. */
const weakerPushesSchema = z.enum(['suites', 'full']);

export const projectSchema = z.object({
  id: uuidSchema,
  org_id: uuidSchema,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  /** The least scope of a credential whose push may make a bar of the project weaker. */
  weaker_pushes: weakerPushesSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Project = z.infer<typeof projectSchema>;

export const listProjects = defineContract('projects/list', 'GET /v1/projects', {
  summary: "The organisation's projects, most recent first",
  scope: 'read',
  query: pageQuerySchema,
  responses: { 200: pageOf(projectSchema) },
});

export const createProject = defineContract('projects/create', 'POST /v1/projects', {
  summary: 'Create a project',
  body: z.strictObject({
    name: nameSchema,
    slug: slugSchema.optional(),
    description: descriptionSchema.default(null),
    weaker_pushes: weakerPushesSchema.default('suites'),
  }),
  example: { name: 'Support bot' },
  responses: { 201: dataOf(projectSchema) },
  rights: { table: EDIT },
});

export const getProject = defineContract('projects/get', 'GET /v1/projects/:slug', {
  summary: 'One project',
  scope: 'read',
  responses: { 200: dataOf(projectSchema) },
});

export const updateProject = defineContract('projects/update', 'PATCH /v1/projects/:slug', {
  summary: 'Change a project',
  reauthentication: 'weaker',
  body: z.strictObject({
    name: nameSchema.optional(),
    description: descriptionSchema.optional(),
    weaker_pushes: weakerPushesSchema.optional(),
  }),
  example: { name: 'Support assistant' },
  responses: { 200: dataOf(projectSchema) },
  rights: { table: ['PutItem'] },
});

export const deleteProject = defineContract('projects/delete', 'DELETE /v1/projects/:slug', {
  summary: 'Delete a project with its suites, cases, scorers and runs',
  reauthentication: 'always',
  responses: { 204: null },
  rights: { table: DELETE_HEAD },
});

export const projectContracts = [listProjects, createProject, getProject, updateProject, deleteProject];
