import { createHash, type KeyObject } from 'node:crypto';
import type { StatementJwk } from '../contracts/statements.ts';
import type { PublicJwk } from '../domain/accounts/ports.ts';

const MODULUS_BITS_MIN = 2_048;
const P256 = 'prime256v1';

/** RFC 7638, so that no two keys share a name. `members`: in the order of their names. */
const thumbprint = (members: Readonly<Record<string, string>>): string =>
  createHash('sha256').update(JSON.stringify(members)).digest('base64url');

/** A public RSA key, named by its thumbprint. */
export function publicJwk(key: KeyObject): PublicJwk {
  const { asymmetricKeyType, asymmetricKeyDetails } = key;
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < MODULUS_BITS_MIN) {
    throw new Error(`Token keys must be RSA keys of at least ${MODULUS_BITS_MIN} bits`);
  }
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  return { kty: 'RSA', alg: 'RS256', use: 'sig', kid: thumbprint({ e, kty: 'RSA', n }), n, e };
}

/** A public key of the curve P-256, named by its thumbprint. */
export function statementJwk(key: KeyObject): StatementJwk {
  const { asymmetricKeyType, asymmetricKeyDetails } = key;
  if (asymmetricKeyType !== 'ec' || asymmetricKeyDetails?.namedCurve !== P256) {
    throw new Error('Statement keys must be EC keys of the curve P-256');
  }
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const kid = thumbprint({ crv: 'P-256', kty: 'EC', x, y });
  const pem = String(key.export({ type: 'spki', format: 'pem' }));
  return { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid, x, y, pem };
}

/** What is signed by keys of one kind. */
export interface KeyKind<Jwk> {
  readonly jwkOf: (key: KeyObject) => Jwk;
  /** As KMS names it. */
  readonly algorithm: 'RSASSA_PKCS1_V1_5_SHA_256' | 'ECDSA_SHA_256';
}

export const TOKEN_KEYS: KeyKind<PublicJwk> = { jwkOf: publicJwk, algorithm: 'RSASSA_PKCS1_V1_5_SHA_256' };
export const STATEMENT_KEYS: KeyKind<StatementJwk> = { jwkOf: statementJwk, algorithm: 'ECDSA_SHA_256' };
