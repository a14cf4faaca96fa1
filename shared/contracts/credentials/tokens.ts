import * as z from 'zod';
import { dataOf, timestampSchema } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { JOB_SCOPES } from '../base/scopes.ts';

/** The `Authorization` header holds an API key or the OIDC token of a CI job; the body in its place the code of a person. */
export const createToken = defineContract('auth/token', 'POST /v1/auth/token', {
  summary: 'Exchange an API key, the OIDC token of a trusted CI job, or the code of a person for a token',
  access: 'public',
  rateClass: 'auth',
  headers: z.object({ authorization: z.string().optional() }),
  bodyIsOptional: true,
  /** Strict: without its scope it would be a token for all that the key may do. */
  body: z.strictObject({
    /** Left out: of an API key its own, of a job `run`. A job gets `suites` by a registration of that scope only. */
    scope: z.enum(JOB_SCOPES).optional(),
    /** Of `POST /v1/auth/cli`, with the verifier that its challenge was made of, and without the header. */
    code: z.string().optional(),
    code_verifier: z.string().optional(),
  }),
  example: { scope: 'suites' },
  responses: { 200: dataOf(z.object({ token: z.string(), expires_at: timestampSchema })) },
  errors: ['UNAUTHORIZED', 'SCOPE_REQUIRED', 'OIDC_ISSUER_UNAVAILABLE'],
  rights: { table: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'], tokens: 'sign', jobs: true },
});

export const getJwks = defineContract('auth/jwks', 'GET /.well-known/jwks.json', {
  summary: 'The public keys that tokens are verified with',
  access: 'public',
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
  rights: { table: [], tokens: 'verify' },
});
