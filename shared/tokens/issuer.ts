import type { SigningKeys, TokenClaims, TokenIssuer } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import type { Ambient } from '../domain/ports.ts';
import { timestamp } from '../domain/time.ts';
import { ALGORITHM, KINDS, kindOf, payloadOf } from './claims.ts';

const encoded = (value: object | Uint8Array): string =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url');

/** Issues tokens in JWS compact form (RFC 7519, RFC 9068). The signing key may stay in KMS. */
export function tokenIssuer(
  loadKeys: () => Promise<SigningKeys>,
  { issuer, now, newId }: Ambient & { readonly issuer: string },
): TokenIssuer {
  const signingKeys = lazily(loadKeys);
  return {
    async issue(claims: TokenClaims, lifetimeSeconds) {
      const keys = await signingKeys();
      const [signing] = await keys.publicKeys();
      if (signing === undefined) throw new Error('There is no key to sign tokens with');
      const kind = kindOf(claims);
      const nowSeconds = now() / 1_000;
      const exp = Math.floor(nowSeconds) + lifetimeSeconds;
      const times =
        kind === 'session' ? { iat: nowSeconds, auth_time: nowSeconds } : { iat: Math.floor(nowSeconds) };
      const header = { alg: ALGORITHM, typ: KINDS[kind].typ, kid: signing.kid };
      const payload = { iss: issuer, ...payloadOf(claims), ...times, exp, jti: newId() };
      const signed = `${encoded(header)}.${encoded(payload)}`;
      const signature = await keys.sign(Buffer.from(signed));
      return { token: `${signed}.${encoded(signature)}`, expires_at: timestamp(exp * 1_000) };
    },
  };
}
