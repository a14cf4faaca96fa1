import * as z from 'zod';
import { uuidSchema } from '../contracts/base/common.ts';
import { tokenCredentialSchema } from '../contracts/base/credentials.ts';
import { SCOPES } from '../contracts/base/scopes.ts';
import type { TokenClaims } from '../domain/accounts/ports.ts';
import { JOB_TOKEN_SECONDS, KEY_TOKEN_SECONDS } from '../domain/limits.ts';

export const ALGORITHM = 'RS256';
export const TYPE = 'at+jwt';
export const AUDIENCE = 'urn:evalgate:api';
export const LIFETIME_SECONDS_MAX = Math.max(KEY_TOKEN_SECONDS, JOB_TOKEN_SECONDS);
/** The most that the clocks of two functions differ. It does not prolong tokens. */
export const CLOCK_TOLERANCE_SECONDS = 30;
/** Longer than any token of this service. Longer text is rejected unread. */
export const TOKEN_CHARACTERS_MAX = 8_192;

export const payloadSchema = z.object({
  sub: uuidSchema,
  aud: z.enum([AUDIENCE]),
  iat: z.int(),
  exp: z.int(),
  jti: uuidSchema,
  scope: z.enum(SCOPES),
  project_id: uuidSchema.nullable(),
  credential: tokenCredentialSchema,
});

export const payloadOf = ({ orgId, projectId, scope, credential }: TokenClaims) => ({
  sub: orgId,
  aud: AUDIENCE,
  scope,
  project_id: projectId,
  credential,
});

export const claimsOf = (payload: z.output<typeof payloadSchema>): TokenClaims => ({
  orgId: payload.sub,
  projectId: payload.project_id,
  scope: payload.scope,
  credential: payload.credential,
});
