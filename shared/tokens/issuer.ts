import type { SigningKeys, TokenIssuer } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import type { Ambient } from '../domain/ports.ts';
import { timestamp } from '../domain/time.ts';
import { KINDS, payloadOf } from './claims.ts';
import { signed } from './jws.ts';

/** Issues tokens (RFC 7519, RFC 9068), and sessions, which are tokens in cookies. */
export function tokenIssuer(
  loadKeys: () => Promise<SigningKeys>,
  { issuer, now, newId }: Ambient & { readonly issuer: string },
): TokenIssuer {
  const signingKeys = lazily(loadKeys);
  return {
    async issue(claims, lifetimeSeconds, { session, openedAtMs } = {}) {
      const { typ, audience: aud } = KINDS[session ? 'session' : 'token'];
      const nowSeconds = now() / 1_000;
      const exp = Math.floor(nowSeconds) + lifetimeSeconds;
      const times = {
        iat: session ? nowSeconds : Math.floor(nowSeconds),
        ...(session?.authSeconds !== undefined && { auth_time: session.authSeconds }),
        ...(openedAtMs !== undefined && { opened_at: openedAtMs }),
      };
      const payload = { iss: issuer, aud, ...payloadOf(claims), ...times, exp, jti: newId() };
      const token = await signed(await signingKeys(), typ, payload);
      return { token, expires_at: timestamp(exp * 1_000) };
    },
  };
}
