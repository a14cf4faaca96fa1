import * as z from 'zod';
import { dataOf, nameSchema, pageOf, pageQuerySchema, timestampSchema, uuidSchema } from './common.ts';
import { defineContract } from './contract.ts';
import { PROVIDER_VALUES } from './providers.ts';

export const byokKeySchema = z.object({
  id: uuidSchema,
  org_id: uuidSchema,
  provider: z.enum(PROVIDER_VALUES),
  name: z.string().nullable(),
  /** The first 8 characters: all that is ever shown of the key. */
  key_prefix: z.string(),
  is_default: z.boolean(),
  /** Null until a judge first used it. */
  last_used_at: timestampSchema.nullable(),
  created_at: timestampSchema,
});
export type ByokKey = z.infer<typeof byokKeySchema>;

export const byokKeyParamsSchema = z.object({ keyId: uuidSchema });

/** It travels in an HTTP header: a pasted line break would fail there, with the provider's error and much later. */
const rawKeySchema = z
  .string('must be the API key as text')
  .min(16, 'at least 16 characters')
  .max(2_048, 'at most 2,048 characters')
  .regex(/^[\x20-\x7e\s]*$/, 'must hold letters, digits and punctuation of ASCII only')
  .regex(/^[^\x00-\x1f\x7f]*$/, 'must not hold line breaks or other control characters: paste the key alone')
  .regex(/^(?!\s).*(?<!\s)$/s, 'must not begin or end with a blank or a line break: paste the key alone');

export const listByokKeys = defineContract({
  id: 'byokKeys/list',
  method: 'GET',
  path: '/v1/byok-keys',
  summary: "The organisation's BYOK keys, most recent first, without the keys themselves",
  access: 'api_key',
  rateClass: 'general',
  query: pageQuerySchema,
  responses: { 200: pageOf(byokKeySchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const createByokKey = defineContract({
  id: 'byokKeys/create',
  method: 'POST',
  path: '/v1/byok-keys',
  summary: "Store a model provider's API key, encrypted; it is never shown again",
  access: 'api_key',
  rateClass: 'general',
  body: z.object({
    provider: z.enum(PROVIDER_VALUES),
    key: rawKeySchema,
    name: nameSchema.nullable().default(null),
    /** The key that judges of this provider use; it takes the place of the one that was. */
    is_default: z.boolean().default(false),
  }),
  responses: { 201: dataOf(byokKeySchema) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const deleteByokKey = defineContract({
  id: 'byokKeys/delete',
  method: 'DELETE',
  path: '/v1/byok-keys/:keyId',
  summary: 'Revoke a BYOK key: what was stored of it is destroyed',
  access: 'api_key',
  rateClass: 'general',
  params: byokKeyParamsSchema,
  responses: { 204: null },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});

export const testByokKey = defineContract({
  id: 'byokKeys/test',
  method: 'POST',
  path: '/v1/byok-keys/:keyId/test',
  summary: 'Ask the provider whether it takes the key',
  access: 'api_key',
  rateClass: 'general',
  params: byokKeyParamsSchema,
  responses: { 200: z.object({ valid: z.boolean(), provider: z.enum(PROVIDER_VALUES) }) },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
});
