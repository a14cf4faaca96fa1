import * as z from 'zod';
import { dataOf, nameSchema, timestampSchema, uuidSchema } from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { credentialSchema } from './base/credentials.ts';
import { SCOPES } from './base/scopes.ts';

export const PLANS = ['free', 'pro', 'scale', 'enterprise'] as const;
export type PlanId = (typeof PLANS)[number];

export const organisationSchema = z.object({
  id: uuidSchema,
  name: z.string(),
  plan: z.enum(PLANS),
  created_at: timestampSchema,
  updated_at: timestampSchema,
  /** Only while it is being deleted: when everything of it goes, unless that is taken back. */
  deletes_at: timestampSchema.optional(),
});
export type Organisation = z.infer<typeof organisationSchema>;

export const apiKeySchema = z.object({
  id: uuidSchema,
  name: z.string(),
  key_prefix: z.string(),
  /** The one project the key may use; null means all. */
  project_id: uuidSchema.nullable(),
  scope: z.enum(SCOPES),
  /** Null: until it is revoked. */
  expires_at: timestampSchema.nullable(),
  /** To the minute. */
  last_used_at: timestampSchema.nullable(),
  created_at: timestampSchema,
  /** Null: the operator of the service, or who signed up. */
  created_by: credentialSchema.nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const signUp = defineContract('auth/signup', 'POST /v1/auth/signup', {
  summary: 'Create an organisation and its first API key',
  access: 'public',
  rateClass: 'auth',
  body: z.object({ name: nameSchema }),
  example: { name: 'Acme' },
  responses: {
    201: dataOf(
      z.object({
        organisation: organisationSchema,
        /** `key` is shown only in this answer. */
        api_key: apiKeySchema.extend({ key: z.string() }),
      }),
    ),
  },
  errors: ['NOT_FOUND'],
  rights: { table: ['PutItem'], plan: true },
});

export const whoAmI = defineContract('auth/whoami', 'GET /v1/whoami', {
  summary: 'What the credential is, and what it may use',
  scope: 'result',
  responses: {
    200: dataOf(
      z.object({
        organisation: organisationSchema.pick({ id: true, name: true, plan: true, deletes_at: true }),
        /** The one project it may use; null means all. */
        project: z.object({ id: uuidSchema, slug: z.string(), name: z.string() }).nullable(),
        scope: z.enum(SCOPES),
        credential: credentialSchema,
        /** Null: until it is revoked. */
        expires_at: timestampSchema.nullable(),
      }),
    ),
  },
  errors: ['NOT_FOUND'],
});
