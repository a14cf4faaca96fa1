import * as z from 'zod';
import { uuidSchema } from '../contracts/base/common.ts';
import { tokenCredentialSchema } from '../contracts/base/credentials.ts';
import { SCOPES } from '../contracts/base/scopes.ts';
import type { TokenClaims } from '../domain/accounts/ports.ts';
import { CI_JOB_TOKEN_SECONDS, KEY_TOKEN_SECONDS, SESSION_SECONDS } from '../domain/limits.ts';

export const ALGORITHM = 'RS256';
/** A token is sent as Bearer, a session as a cookie: neither counts as the other. */
export const KINDS = {
  token: {
    typ: 'at+jwt',
    audience: 'urn:evalgate:api',
    secondsMax: Math.max(KEY_TOKEN_SECONDS, CI_JOB_TOKEN_SECONDS),
  },
  session: { typ: 'session+jwt', audience: 'urn:evalgate:session', secondsMax: SESSION_SECONDS },
} as const;
export type Kind = keyof typeof KINDS;
export const kindOf = ({ credential }: Pick<TokenClaims, 'credential'>): Kind =>
  credential.type === 'session' ? 'session' : 'token';
/** The most that the clocks of two functions differ. It does not prolong tokens. */
export const CLOCK_TOLERANCE_SECONDS = 30;
/** Longer than any token of this service. Longer text is rejected unread. */
export const TOKEN_CHARACTERS_MAX = 8_192;

export const payloadSchema = z.object({
  sub: uuidSchema,
  aud: z.string(),
  /** Of a session to the millisecond, so that one that is opened after a sign-out does not count as ended. */
  iat: z.number(),
  exp: z.int(),
  jti: uuidSchema,
  scope: z.enum(SCOPES),
  project_id: uuidSchema.nullable(),
  credential: tokenCredentialSchema,
  auth_time: z.number().optional(),
});

export const payloadOf = ({ orgId, projectId, scope, credential }: TokenClaims) => ({
  sub: orgId,
  aud: KINDS[kindOf({ credential })].audience,
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
