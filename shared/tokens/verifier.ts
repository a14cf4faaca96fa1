import type { VerifiedClaims, VerifyingKeys } from '../domain/accounts/ports.ts';
import { timestamp } from '../domain/time.ts';
import { CLOCK_TOLERANCE_SECONDS, claimsOf, KINDS, type Kind, payloadSchema } from './claims.ts';
import { signedReader } from './jws.ts';

interface Options {
  readonly issuer: string;
  readonly now: () => number;
}

export interface SessionTimes {
  readonly openedAtMs: number;
  /** Since the key was given, or the person signed in at the provider. Undefined where the session does not say it. */
  readonly authAgeSeconds: number | undefined;
}

type Verified = Omit<VerifiedClaims, 'session'> & { readonly times: SessionTimes | undefined };

/** Makes the checks that the library leaves to its caller. Undefined if one fails. */
export function tokenVerifier(keys: VerifyingKeys, { issuer, now }: Options) {
  const read = signedReader(keys, { issuer, now });

  /** A time ahead of all clocks is none. */
  function ageOf(authSeconds = Number.POSITIVE_INFINITY): number | undefined {
    const ageSeconds = now() / 1_000 - authSeconds;
    return ageSeconds >= -CLOCK_TOLERANCE_SECONDS ? ageSeconds : undefined;
  }

  return {
    async verify(token: string, kind: Kind = 'token'): Promise<Verified | undefined> {
      const payload = payloadSchema.safeParse(await read(token, KINDS[kind]));
      if (!payload.success) return undefined;
      const { iat, exp, auth_time, opened_at, credential } = payload.data;
      const lifetime = exp - iat;
      const isNow = iat <= Math.floor(now() / 1_000) + CLOCK_TOLERANCE_SECONDS;
      const inTime = isNow && lifetime > 0 && lifetime <= KINDS[kind].secondsMax[credential.type];
      if (!inTime) return undefined;
      const openedAtMs = kind === 'session' ? iat * 1_000 : opened_at;
      // Of a person nothing is known to have ended without it.
      if (credential.type === 'person' && openedAtMs === undefined) return undefined;
      const times =
        kind === 'session' ? { openedAtMs: iat * 1_000, authAgeSeconds: ageOf(auth_time) } : undefined;
      return { ...claimsOf(payload.data), expiresAt: timestamp(exp * 1_000), openedAtMs, times };
    },
  };
}
