import { createHash, type KeyObject } from 'node:crypto';
import type { PublicJwk } from '../domain/accounts/ports.ts';

const MODULUS_BITS_MIN = 2_048;

/** A public RSA key, named by its thumbprint (RFC 7638), so that no two keys share a name. */
export function publicJwk(key: KeyObject): PublicJwk {
  const { asymmetricKeyType, asymmetricKeyDetails } = key;
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < MODULUS_BITS_MIN) {
    throw new Error(`Token keys must be RSA keys of at least ${MODULUS_BITS_MIN} bits`);
  }
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
  return { kty: 'RSA', alg: 'RS256', use: 'sig', kid, n, e };
}
