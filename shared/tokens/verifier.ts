import { createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { TokenVerifier, VerifiedClaims, VerifyingKeys } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import { timestamp } from '../domain/time.ts';
import {
  ALGORITHM,
  AUDIENCE,
  CLOCK_TOLERANCE_SECONDS,
  claimsOf,
  LIFETIME_SECONDS_MAX,
  payloadSchema,
  TOKEN_CHARACTERS_MAX,
  TYPE,
} from './claims.ts';

interface Options {
  readonly issuer: string;
  readonly now: () => number;
}

/** Makes the checks that the library leaves to its caller. Undefined if one fails. */
export function tokenVerifier(keys: VerifyingKeys, { issuer, now }: Options): TokenVerifier {
  const keysById = lazily(async (): Promise<ReadonlyMap<string, KeyObject>> => {
    const jwks = await keys.publicKeys();
    return new Map(jwks.map((jwk) => [jwk.kid, createPublicKey({ key: { ...jwk }, format: 'jwk' })]));
  });

  function claimsIn(token: string, key: KeyObject): VerifiedClaims | undefined {
    const nowSeconds = Math.floor(now() / 1_000);
    const payload = payloadSchema.safeParse(
      jwt.verify(token, key, {
        algorithms: [ALGORITHM],
        issuer,
        audience: AUDIENCE,
        clockTimestamp: nowSeconds,
      }),
    );
    if (!payload.success) return undefined;
    const { iat, exp } = payload.data;
    const inTime =
      iat <= nowSeconds + CLOCK_TOLERANCE_SECONDS && exp > iat && exp - iat <= LIFETIME_SECONDS_MAX;
    return inTime ? { ...claimsOf(payload.data), expiresAt: timestamp(exp * 1_000) } : undefined;
  }

  return {
    async verify(token) {
      const kid = kidOf(token);
      const key = kid === undefined ? undefined : (await keysById()).get(kid);
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

/** The key id of a header like ours: one algorithm, one type, no critical extensions, no other field. */
function kidOf(token: string): string | undefined {
  if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
  const parts = token.split('.').map((part) => Buffer.from(part, 'base64url'));
  // Base64 decoders ignore surplus bits, so that two texts would be the same token.
  if (parts.map((part) => part.toString('base64url')).join('.') !== token) return undefined;
  try {
    const { alg, typ, kid, ...others } = JSON.parse(String(parts[0])) as Record<string, unknown>;
    const ours = alg === ALGORITHM && typ === TYPE && Object.keys(others).length === 0;
    return ours && typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}
