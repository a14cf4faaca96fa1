import * as z from 'zod';
import {
  dataOf,
  documentObjectSchema,
  expectedVersion,
  expectedVersionQuery,
  keyedPageQuery,
  keySchema,
  nameSchema,
  pageOf,
  shareSchema,
  slugSchema,
  storedObjectSchema,
  timestampSchema,
  uuidSchema,
  versionSchema,
} from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { BAR_WRITE_ERRORS } from './base/errors.ts';
import { described } from './base/fields.ts';
import { EDIT } from './base/rights.ts';
import { SCORER_TYPES } from './base/scorerTypes.ts';

export const SCORER_CONFIG_BYTES_MAX = 131_072;
/** Of a project. */
export const SCORERS_MAX = 1_000;

export const scorerSchema = z.object({
  id: uuidSchema,
  project_id: uuidSchema,
  /** Unique in the project. That of a restored scorer is its id where another one has taken its key. */
  key: z.string(),
  name: z.string(),
  type: z.enum(SCORER_TYPES),
  config: storedObjectSchema,
  dual_sided: z.boolean(),
  precision_threshold: shareSchema.nullable(),
  recall_threshold: shareSchema.nullable(),
  version: versionSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Scorer = z.infer<typeof scorerSchema>;

const fields = {
  name: described(nameSchema, { label: 'Name', placeholder: 'Contains both', isTrimmed: true }),
  /** Unique in the project, and not of the form of a UUID, unless the scorer has it already. */
  key: described(slugSchema, { label: 'Key', hint: 'By which suites in files name it.', isTrimmed: true }),
  type: z.enum(SCORER_TYPES),
  /** Depends on the type, whose own schema checks it when the scorer is written. */
  config: documentObjectSchema(SCORER_CONFIG_BYTES_MAX),
  dual_sided: described(z.boolean(), {
    label: 'Measures precision and recall',
    hint: 'The score is their F1, and both bounds have to hold.',
  }),
  precision_threshold: described(shareSchema.nullable(), {
    label: 'Least precision',
    hint: '0 to 1; left empty: none.',
  }),
  recall_threshold: described(shareSchema.nullable(), {
    label: 'Least recall',
    hint: '0 to 1; left empty: none.',
  }),
};

/** A scorer as a form has it, but for its config, whose fields depend on its type. */
export const scorerFormSchema = z.object(fields).omit({ type: true, config: true });

export const listScorers = defineContract('scorers/list', 'GET /v1/projects/:slug/scorers', {
  summary: "A project's scorers, most recent first",
  scope: 'read',
  query: z.object({ ...keyedPageQuery }),
  responses: { 200: pageOf(scorerSchema) },
});

/** What a client sends to make one. */
export const newScorerSchema = z.object({
  ...fields,
  /** Unique in the project. Left out: made from the name. */
  key: keySchema.optional(),
  dual_sided: fields.dual_sided.default(false),
  precision_threshold: fields.precision_threshold.default(null),
  recall_threshold: fields.recall_threshold.default(null),
});

export const createScorer = defineContract('scorers/create', 'POST /v1/projects/:slug/scorers', {
  summary: 'Create a scorer',
  scope: 'suites',
  body: newScorerSchema,
  example: { name: 'Mentions 30 days', type: 'contains', config: { values: ['30 days'] } },
  responses: { 201: dataOf(scorerSchema) },
  rights: { table: EDIT, judge: true },
});

export const getScorer = defineContract('scorers/get', 'GET /v1/scorers/:scorerId', {
  summary: 'One scorer',
  scope: 'read',
  responses: { 200: dataOf(scorerSchema) },
});

export const updateScorer = defineContract('scorers/update', 'PATCH /v1/scorers/:scorerId', {
  summary: 'Change a scorer',
  reauthentication: 'weaker',
  scope: 'suites',
  body: z.object({ ...fields, ...expectedVersion }).partial(),
  example: { name: 'Names the return window' },
  responses: { 200: dataOf(scorerSchema) },
  errors: BAR_WRITE_ERRORS,
  rights: { table: EDIT, judge: true },
});

export const deleteScorer = defineContract('scorers/delete', 'DELETE /v1/scorers/:scorerId', {
  summary: 'Delete a scorer; cases that use it fail until they get another',
  reauthentication: 'always',
  scope: 'suites',
  query: expectedVersionQuery,
  responses: { 204: null },
  errors: BAR_WRITE_ERRORS,
  rights: { table: EDIT },
});

export const scorerContracts = [listScorers, createScorer, getScorer, updateScorer, deleteScorer];
