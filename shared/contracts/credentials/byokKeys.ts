import * as z from 'zod';
import {
  dataOf,
  nameSchema,
  pageOf,
  pageQuerySchema,
  slugSchema,
  timestampSchema,
  uuidSchema,
} from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { PROVIDER_VALUES } from '../base/providers.ts';
import { DELETE, EDIT, READ } from '../base/rights.ts';

export const byokKeySchema = z.object({
  id: uuidSchema,
  org_id: uuidSchema,
  /** The one project whose judges use it; null: those of every project without a key of its own. */
  project_id: uuidSchema.nullable(),
  provider: z.enum(PROVIDER_VALUES),
  name: z.string().nullable(),
  /** The first 8 characters, or the first half of a key below 16: no more of the key is ever shown. */
  key_prefix: z.string(),
  is_default: z.boolean(),
  /** Null until a judge has used it. */
  last_used_at: timestampSchema.nullable(),
  created_at: timestampSchema,
});
export type ByokKey = z.infer<typeof byokKeySchema>;

/** The key is sent in an HTTP header: characters that a header cannot hold are refused here, not by the provider. */
const rawKeySchema = z
  .string('must be the API key as text')
  .min(1, 'must not be empty')
  .max(2_048, 'at most 2,048 characters')
  .regex(/^[\x00-\x7f\s]*$/, 'must hold letters, digits and punctuation of ASCII only')
  .regex(
    /^[^\s\x00-\x1f\x7f]*$/,
    'must not hold blanks, line breaks or other control characters: paste the key alone',
  );

export const listByokKeys = defineContract('byokKeys/list', 'GET /v1/byok-keys', {
  summary: 'BYOK keys of the organisation, or of a project, most recent first, without the keys themselves',
  query: pageQuerySchema.extend({
    /** The slug of a project, whose own keys are listed. */
    project: slugSchema.optional(),
  }),
  responses: { 200: pageOf(byokKeySchema) },
  errors: ['NOT_FOUND'],
  rights: { table: READ },
});

export const createByokKey = defineContract('byokKeys/create', 'POST /v1/byok-keys', {
  summary: "Store a model provider's API key, encrypted; it is never shown again",
  reauthentication: 'always',
  body: z.strictObject({
    provider: z.enum(PROVIDER_VALUES),
    key: rawKeySchema,
    name: nameSchema.nullable().default(null),
    /** The slug of the one project whose judges use it, before a key of the organisation; left out: all projects. */
    project: slugSchema.optional(),
    /** Whether judges of this provider use this key; it replaces the previous default of the organisation or project. */
    is_default: z.boolean().default(false),
  }),
  example: { provider: 'openai', key: 'sk-your-own-key-at-the-provider', project: 'support-bot' },
  responses: { 201: dataOf(byokKeySchema) },
  errors: ['NOT_FOUND'],
  rights: { table: [...EDIT, 'ConditionCheckItem'], vault: 'encrypt' },
});

export const deleteByokKey = defineContract('byokKeys/delete', 'DELETE /v1/byok-keys/:keyId', {
  summary: 'Revoke a BYOK key: what was stored of it is destroyed',
  reauthentication: 'always',
  responses: { 204: null },
  rights: { table: DELETE },
});

export const testByokKey = defineContract('byokKeys/test', 'POST /v1/byok-keys/:keyId/test', {
  summary: 'Ask the provider whether it takes the key',
  bodyIsOptional: true,
  body: z.strictObject({
    /** As in a judge's config. Azure's names the endpoint, and is needed if the deployment has no default. */
    model: z
      .string()
      .max(512, 'at most 512 characters')
      .regex(/^\P{Cc}*$/u, 'must not hold line breaks or other control characters')
      .refine((model) => model.trim() !== '', 'must not be empty: name one, or leave it out for the default')
      .optional(),
  }),
  example: { model: 'gpt-5.4-mini' },
  responses: { 200: z.object({ valid: z.boolean(), provider: z.enum(PROVIDER_VALUES) }) },
  rights: { table: READ, queue: 'send' },
});

export const byokKeyContracts = [listByokKeys, createByokKey, testByokKey, deleteByokKey];
