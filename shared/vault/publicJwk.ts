import { createHash, type KeyObject } from 'node:crypto';
import type { PublicJwk } from '../domain/accounts/tokens.ts';

const MODULUS_BITS_MIN = 2_048;

/** A public RSA key under its own thumbprint (RFC 7638), so that no two keys share a name. */
export function publicJwk(key: KeyObject): PublicJwk {
  const { kty, n, e } = key.export({ format: 'jwk' });
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (kty !== 'RSA' || n === undefined || e === undefined || bits < MODULUS_BITS_MIN) {
    throw new Error(`Token keys must be RSA keys of at least ${MODULUS_BITS_MIN} bits`);
  }
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
  return { kty, alg: 'RS256', use: 'sig', kid, n, e };
}
