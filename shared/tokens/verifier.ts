import { createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { VerifiedClaims, VerifyingKeys } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import { REAUTHENTICATION_SECONDS } from '../domain/limits.ts';
import { timestamp } from '../domain/time.ts';
import {
  ALGORITHM,
  CLOCK_TOLERANCE_SECONDS,
  claimsOf,
  KINDS,
  type Kind,
  kindOf,
  payloadSchema,
  TOKEN_CHARACTERS_MAX,
} from './claims.ts';

interface Options {
  readonly issuer: string;
  readonly now: () => number;
}

export interface SessionTimes {
  readonly openedAtMs: number;
  /** Whether the key was given within the last ten minutes. */
  readonly isRecent: boolean;
}

type Verified = Omit<VerifiedClaims, 'session'> & { readonly times: SessionTimes | undefined };

/** Makes the checks that the library leaves to its caller. Undefined if one fails. */
export function tokenVerifier(keys: VerifyingKeys, { issuer, now }: Options) {
  const keysById = lazily(async (): Promise<ReadonlyMap<string, KeyObject>> => {
    const jwks = await keys.publicKeys();
    return new Map(jwks.map((jwk) => [jwk.kid, createPublicKey({ key: { ...jwk }, format: 'jwk' })]));
  });

  function claimsIn(token: string, key: KeyObject, kind: Kind): Verified | undefined {
    const nowSeconds = Math.floor(now() / 1_000);
    const { audience, secondsMax } = KINDS[kind];
    const payload = payloadSchema.safeParse(
      jwt.verify(token, key, {
        algorithms: [ALGORITHM],
        issuer,
        audience,
        clockTimestamp: nowSeconds,
      }),
    );
    if (!payload.success || kindOf(payload.data) !== kind) return undefined;
    const { iat, exp, auth_time } = payload.data;
    const inTime = iat <= nowSeconds + CLOCK_TOLERANCE_SECONDS && exp > iat && exp - iat <= secondsMax;
    if (!inTime) return undefined;
    const times = kind === 'session' ? { openedAtMs: iat * 1_000, isRecent: isRecent(auth_time) } : undefined;
    return { ...claimsOf(payload.data), expiresAt: timestamp(exp * 1_000), times };
  }

  /** A time ahead of all clocks is none. */
  function isRecent(authSeconds = 0): boolean {
    const ageSeconds = now() / 1_000 - authSeconds;
    return ageSeconds <= REAUTHENTICATION_SECONDS && ageSeconds >= -CLOCK_TOLERANCE_SECONDS;
  }

  return {
    async verify(token: string, kind: Kind = 'token'): Promise<Verified | undefined> {
      const kid = kidOf(token, kind);
      const key = kid === undefined ? undefined : (await keysById()).get(kid);
      if (key === undefined) return undefined;
      try {
        return claimsIn(token, key, kind);
      } catch (error) {
        if (error instanceof jwt.JsonWebTokenError) return undefined;
        throw error;
      }
    },
  };
}

/** The key id of a header like ours: one algorithm, one type, no critical extensions, no other field. */
function kidOf(token: string, kind: Kind): string | undefined {
  if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
  const parts = token.split('.').map((part) => Buffer.from(part, 'base64url'));
  // Base64 decoders ignore surplus bits, so that two texts would be the same token.
  if (parts.map((part) => part.toString('base64url')).join('.') !== token) return undefined;
  try {
    const { alg, typ, kid, ...others } = JSON.parse(String(parts[0])) as Record<string, unknown>;
    const ours = alg === ALGORITHM && typ === KINDS[kind].typ && Object.keys(others).length === 0;
    return ours && typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}
