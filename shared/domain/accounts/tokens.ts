import type { Credential } from '../../contracts/base/credentials.ts';
import type { Scope } from '../../contracts/base/scopes.ts';

export interface TokenClaims {
  readonly orgId: string;
  readonly projectId: string | null;
  readonly scope: Scope;
  /** What the token was given for: gone, and the token is worth nothing, whatever time it has left. */
  readonly credential: Exclude<Credential, { type: 'api_key' }>;
}

export interface Token {
  readonly token: string;
  readonly expires_at: string;
}

export interface TokenIssuer {
  issue(claims: TokenClaims, lifetimeSeconds: number): Promise<Token>;
}

export interface TokenVerifier {
  /** Undefined for whatever is not a token of this deployment, whole, signed and in its time. */
  verify(token: string): Promise<TokenClaims | undefined>;
}

/** A public key that tokens are verified with, as a JSON Web Key (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly alg: 'RS256';
  readonly use: 'sig';
  readonly kid: string;
  readonly n: string;
  readonly e: string;
}

/** The first key signs; all of them are good for verifying, so that a key can be rotated while its tokens live. */
export interface VerifyingKeys {
  publicKeys(): Promise<readonly PublicJwk[]>;
}

export interface SigningKeys extends VerifyingKeys {
  /** RSASSA-PKCS1-v1_5 over SHA-256, by the first key. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}
