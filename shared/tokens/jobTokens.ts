import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import * as z from 'zod';
import { uuidSchema } from '../contracts/base/common.ts';
import type { JobClaims, JobTokens, KeySetStore } from '../domain/accounts/ports.ts';
import { ALGORITHM, CLOCK_TOLERANCE_SECONDS } from './claims.ts';
import { remoteKeys } from './remoteKeys.ts';

/** GitHub's are about 2 kB. */
const TOKEN_CHARACTERS_MAX = 8_192;
/** GitHub's live for some minutes. */
const LIFETIME_SECONDS_MAX = 3_600;
const AUDIENCE_PREFIX = 'evalgate:';

const text = z.string().min(1).max(1_024);
const shaSchema = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const numericId = z.string().regex(/^\d{1,20}$/);

/** GitHub's claims of a job. `sub` is not read: repositories may change its form. */
const payloadSchema = z.object({
  aud: z
    .string()
    .startsWith(AUDIENCE_PREFIX)
    .transform((aud) => aud.slice(AUDIENCE_PREFIX.length))
    .pipe(uuidSchema),
  jti: text,
  iat: z.int(),
  exp: z.int(),
  repository: text,
  repository_id: numericId,
  repository_owner_id: numericId,
  ref: text,
  environment: text.nullable().default(null),
  workflow_ref: text,
  actor: text,
  run_id: text,
  // Not every job needs these: one whose token has them in another form, or not at all, can run gates.
  sha: z.unknown().optional(),
  event_name: z.unknown().optional(),
  head_ref: z.unknown().optional(),
  job_workflow_ref: z.unknown().optional(),
  run_attempt: z.unknown().optional(),
  ref_protected: z.unknown().optional(),
});
type Payload = z.output<typeof payloadSchema>;

/** The address of an issuer's key set. */
export const keySetUrl = (issuer: string): string => `${issuer}/.well-known/jwks`;

interface Options {
  /** `https://token.actions.githubusercontent.com`, or that of a GitHub Enterprise Server. */
  readonly issuer: string;
  /** Of the set at `keySetUrl`. */
  readonly keySets: KeySetStore;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called each time that the issuer's keys could not be fetched. */
  readonly onFailure: (error: unknown) => void;
}

export function githubJobTokens({ issuer, keySets, now, sleep, onFailure }: Options): JobTokens {
  const keyOf = remoteKeys({ url: keySetUrl(issuer), store: keySets, now, sleep, onFailure });

  function payloadIn(token: string, key: KeyObject): Payload | undefined {
    const nowSeconds = Math.floor(now() / 1_000);
    const { data } = payloadSchema.safeParse(
      verified(token, key, {
        algorithms: [ALGORITHM],
        issuer,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        clockTimestamp: nowSeconds,
      }),
    );
    if (data === undefined) return undefined;
    const { iat, exp } = data;
    const inTime =
      iat <= nowSeconds + CLOCK_TOLERANCE_SECONDS && exp > iat && exp - iat <= LIFETIME_SECONDS_MAX;
    return inTime ? data : undefined;
  }

  /** Whether the unverified claims name our issuer and audience. For other tokens no keys are fetched. */
  function isAddressed(token: string): boolean {
    const { iss, aud } = partOf(token, 1);
    return iss === issuer && typeof aud === 'string' && aud.startsWith(AUDIENCE_PREFIX);
  }

  return {
    async verify(token) {
      if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
      const kid = isAddressed(token) ? kidOf(token) : undefined;
      const key = kid === undefined ? undefined : await keyOf(kid);
      const payload = key && payloadIn(token, key);
      return payload && claimsOf(payload);
    },
  };
}

/** Undefined for whatever the library rejects. It throws other kinds of errors for invalid JSON. */
function verified(token: string, key: KeyObject, options: jwt.VerifyOptions): unknown {
  try {
    return jwt.verify(token, key, options);
  } catch {
    return undefined;
  }
}

function claimsOf(payload: Payload): JobClaims {
  const { repository, ref, environment, actor, ref_protected } = payload;
  return {
    orgId: payload.aud,
    tokenId: payload.jti,
    usableUntilMs: (payload.exp + CLOCK_TOLERANCE_SECONDS) * 1_000,
    repository,
    repositoryId: payload.repository_id,
    repositoryOwnerId: payload.repository_owner_id,
    ref,
    headRef: text.safeParse(payload.head_ref).data,
    sha: shaSchema.safeParse(payload.sha).data,
    eventName: text.safeParse(payload.event_name).data,
    isRefUnprotected: ref_protected !== true && ref_protected !== 'true',
    environment,
    ...workflowOf(payload),
    jobWorkflowRef: text.safeParse(payload.job_workflow_ref).data,
    actor,
    runId: payload.run_id,
    runAttempt: numericId.safeParse(payload.run_attempt).data,
  };
}

/** Greedy: the file's name may hold "@", and text that looks like the end of a file's name. */
const WORKFLOW_REF = /^([^/]+\/[^/]+)\/(\.github\/workflows\/[^/]+\.ya?ml)@(.*)$/s;

/** The path of the workflow's file. One in another repository keeps that repository's name, and has a ref of its own. */
function workflowOf({
  workflow_ref,
  repository,
  ref,
}: Payload): Pick<JobClaims, 'workflow' | 'isWorkflowElsewhere'> {
  const [, owner, path, ownRef] = WORKFLOW_REF.exec(workflow_ref) ?? [];
  if (owner === undefined || path === undefined) return { workflow: workflow_ref, isWorkflowElsewhere: true };
  if (owner.toLowerCase() === repository.toLowerCase())
    return { workflow: path, isWorkflowElsewhere: ownRef !== ref };
  return { workflow: `${owner}/${path}`, isWorkflowElsewhere: false };
}

function kidOf(token: string): string | undefined {
  const { alg, kid, crit } = partOf(token, 0);
  return alg === ALGORITHM && crit === undefined && typeof kid === 'string' ? kid : undefined;
}

/** The fields of header or payload. None if it is no JSON object. */
function partOf(token: string, part: 0 | 1): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
