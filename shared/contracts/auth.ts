import * as z from 'zod';
import { dataOf, nameSchema, timestampSchema, uuidSchema } from './common.ts';
import { defineContract } from './contract.ts';
import { SCOPES } from './scopes.ts';

export const PLANS = ['free', 'pro', 'scale', 'enterprise'] as const;
export type PlanId = (typeof PLANS)[number];

export const organisationSchema = z.object({
  id: uuidSchema,
  name: z.string(),
  plan: z.enum(PLANS),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Organisation = z.infer<typeof organisationSchema>;

/** The job of a trusted repository, as its own OIDC token named it. */
export const jobSchema = z.object({
  repository: z.string(),
  actor: z.string(),
  ref: z.string(),
  workflow: z.string(),
  run_id: z.string(),
});
export type Job = z.infer<typeof jobSchema>;

export const tokenCredentialSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('token'), key_id: uuidSchema }),
  jobSchema.extend({ type: z.literal('github_actions'), registration_id: uuidSchema }),
]);

/** What somebody came with: an API key, a token made for one, or a token made for a job of a trusted repository. */
export const credentialSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('api_key'), key_id: uuidSchema }),
  ...tokenCredentialSchema.options,
]);
export type Credential = z.infer<typeof credentialSchema>;

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
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const signUp = defineContract({
  id: 'auth/signup',
  method: 'POST',
  path: '/v1/auth/signup',
  summary: 'Create an organisation and its first API key',
  access: 'public',
  rateClass: 'auth',
  body: z.object({ name: nameSchema }),
  responses: {
    201: dataOf(
      z.object({
        organisation: organisationSchema,
        /** `key` is shown here and never again. */
        api_key: apiKeySchema.extend({ key: z.string() }),
      }),
    ),
  },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'RATE_LIMITED'],
});

/** Takes an API key, or the OIDC token of a GitHub Actions job, in the `Authorization` header. */
export const createToken = defineContract({
  id: 'auth/token',
  method: 'POST',
  path: '/v1/auth/token',
  summary: 'Exchange an API key, or the OIDC token of a trusted GitHub Actions job, for a short-lived token',
  access: 'public',
  rateClass: 'auth',
  headers: z.object({ authorization: z.string().optional() }),
  responses: { 200: dataOf(z.object({ token: z.string(), expires_at: timestampSchema })) },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'RATE_LIMITED', 'OIDC_ISSUER_UNAVAILABLE'],
});

export const getJwks = defineContract({
  id: 'auth/jwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'The public keys that tokens are verified with',
  access: 'public',
  rateClass: 'general',
  responses: {
    200: z.object({
      keys: z.array(
        z.object({
          kty: z.literal('RSA'),
          alg: z.literal('RS256'),
          use: z.literal('sig'),
          kid: z.string(),
          n: z.string(),
          e: z.string(),
        }),
      ),
    }),
  },
  errors: ['RATE_LIMITED'],
});
