import * as z from 'zod';
import { uuidSchema } from '../contracts/base/common.ts';
import { tokenCredentialSchema } from '../contracts/base/credentials.ts';
import { SCOPES } from '../contracts/base/scopes.ts';
import type { TokenClaims } from '../domain/accounts/ports.ts';
import {
  CI_JOB_TOKEN_SECONDS,
  GITHUB_JOB_TOKEN_SECONDS,
  KEY_TOKEN_SECONDS,
  PERSON_SECONDS,
  SESSION_SECONDS,
} from '../domain/limits.ts';

export const ALGORITHM = 'RS256';
/** A token is sent as Bearer, a session as a cookie: neither counts as the other. */
export const KINDS = {
  token: {
    typ: 'at+jwt',
    audience: 'urn:evalgate:api',
    secondsMax: {
      token: KEY_TOKEN_SECONDS,
      github_actions: GITHUB_JOB_TOKEN_SECONDS,
      ci_job: CI_JOB_TOKEN_SECONDS,
      person: PERSON_SECONDS,
      session: 0,
    },
  },
  session: {
    typ: 'session+jwt',
    audience: 'urn:evalgate:session',
    secondsMax: { session: SESSION_SECONDS, person: PERSON_SECONDS, token: 0, github_actions: 0, ci_job: 0 },
  },
} as const;
export type Kind = keyof typeof KINDS;
/** The most that the clocks of two functions differ. It does not prolong tokens. */
export const CLOCK_TOLERANCE_SECONDS = 30;
/** Longer than any token of this service. Longer text is rejected unread. */
export const TOKEN_CHARACTERS_MAX = 8_192;

export const payloadSchema = z.object({
  sub: uuidSchema,
  /** A list, even of ours alone, is refused. */
  aud: z.string(),
  /** Of a session to the millisecond, so that one that is opened after a sign-out does not count as ended. */
  iat: z.number(),
  exp: z.int(),
  jti: uuidSchema,
  scope: z.enum(SCOPES),
  project_id: uuidSchema.nullable(),
  credential: tokenCredentialSchema,
  /** When the key was given, or the person signed in at the provider. */
  auth_time: z.number().optional(),
  /** Of a person's token, in ms: when the session was opened that it was made in. */
  opened_at: z.number().optional(),
});

export const payloadOf = ({ orgId, projectId, scope, credential }: TokenClaims) => ({
  sub: orgId,
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
