import jwt from 'jsonwebtoken';
import * as z from 'zod';
import { uuidSchema } from '../contracts/common.ts';
import type { JobClaims, JobTokens } from '../domain/accounts/jobs.ts';
import { ALGORITHM, CLOCK_TOLERANCE_SECONDS } from './claims.ts';
import { remoteKeys } from './remoteKeys.ts';

/** GitHub's are about 2 kB. */
const TOKEN_CHARACTERS_MAX = 8_192;
const LIFETIME_SECONDS_MAX = 3_600;
const AUDIENCE_PREFIX = 'evalgate:';

const text = z.string().min(1).max(1_024);
const numericId = z.string().regex(/^\d{1,20}$/);

/** What GitHub says of a job. `sub` has two forms, and its owner may change it: everything is read from the claims. */
const payloadSchema = z.object({
  aud: z
    .string()
    .startsWith(AUDIENCE_PREFIX)
    .transform((aud) => aud.slice(AUDIENCE_PREFIX.length))
    .pipe(uuidSchema),
  sub: text,
  jti: text,
  iat: z.int(),
  nbf: z.int().optional(),
  exp: z.int(),
  repository: text,
  repository_id: numericId,
  repository_owner_id: numericId,
  ref: text,
  environment: text.optional(),
  workflow_ref: text,
  actor: text,
  run_id: text,
});

interface Options {
  /** `https://token.actions.githubusercontent.com`, or that of a GitHub Enterprise Server. */
  readonly issuer: string;
  readonly now: () => number;
}

/** Verifies the OIDC tokens of GitHub Actions jobs. */
export function githubJobTokens({ issuer, now }: Options): JobTokens {
  const keyOf = remoteKeys(`${issuer}/.well-known/jwks`, now);

  function claimsIn(token: string, key: Parameters<typeof jwt.verify>[1]): JobClaims | undefined {
    const nowSeconds = Math.floor(now() / 1_000);
    const payload = payloadSchema.safeParse(
      jwt.verify(token, key as jwt.PublicKey, {
        algorithms: [ALGORITHM],
        issuer,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        clockTimestamp: nowSeconds,
      }),
    );
    if (!payload.success) return undefined;
    const { aud, iat, exp, jti, ...claims } = payload.data;
    const inTime =
      iat <= nowSeconds + CLOCK_TOLERANCE_SECONDS && exp > iat && exp - iat <= LIFETIME_SECONDS_MAX;
    if (!inTime) return undefined;
    const usableUntilMs = (exp + CLOCK_TOLERANCE_SECONDS) * 1_000;
    return {
      orgId: aud,
      tokenId: jti,
      usableUntilMs,
      repository: claims.repository,
      repositoryId: claims.repository_id,
      repositoryOwnerId: claims.repository_owner_id,
      ref: claims.ref,
      environment: claims.environment ?? null,
      workflow: workflowFile(claims.workflow_ref),
      actor: claims.actor,
      runId: claims.run_id,
    };
  }

  return {
    async verify(token) {
      const kid = token.length > TOKEN_CHARACTERS_MAX ? undefined : kidOf(token);
      const key = kid === undefined ? undefined : await keyOf(kid);
      if (key === undefined) return undefined;
      try {
        return claimsIn(token, key);
      } catch (error) {
        if (error instanceof jwt.JsonWebTokenError) return undefined;
        throw error;
      }
    },
  };
}

/** `owner/name/.github/workflows/gate.yml@refs/heads/main` → `.github/workflows/gate.yml` */
const workflowFile = (workflowRef: string): string =>
  workflowRef.replace(/@.*$/s, '').split('/').slice(2).join('/');

function kidOf(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    const { alg, kid, crit } = header as Record<string, unknown>;
    return alg === ALGORITHM && crit === undefined && typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}
