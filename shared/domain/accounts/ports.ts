import type { ApiKey, Organisation } from '../../contracts/auth.ts';
import type { Credential } from '../../contracts/base/credentials.ts';
import type { Scope } from '../../contracts/base/scopes.ts';
import type { TrustedRepository } from '../../contracts/trustedRepositories.ts';
import type { KeyPrincipal, Principal } from '../principal.ts';

export interface ApiKeyStore {
  /** At the limit it takes the place of the key that expired first, if one has. */
  create(
    orgId: string,
    key: ApiKey & { readonly sha256: string },
    limit: number,
  ): Promise<'created' | 'limit_reached' | 'organisation_gone'>;
  /** All keys of an organisation, newest first. */
  list(orgId: string): Promise<readonly ApiKey[]>;
  /** `mayRevoke` sees all keys at the moment that counts. */
  revoke(
    orgId: string,
    keyId: string,
    mayRevoke: (key: ApiKey, keys: readonly ApiKey[]) => boolean,
  ): Promise<'revoked' | 'gone' | 'refused'>;
}

export interface AccountStore {
  create(organisation: Organisation, key: ApiKey & { sha256: string }): Promise<void>;
  /** Undefined for a key that is unknown, revoked or expired. */
  principalOfKey(sha256: string): Promise<KeyPrincipal | undefined>;
  /** Takes note that a key was used, unless that was noted after `notAfter`. */
  touchKey(sha256: string, at: string, notAfter: string): Promise<void>;
  /** Undefined when what the token was made for is gone. */
  principalOfToken(claims: TokenClaims): Promise<Principal | undefined>;
}

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

/** What the OIDC token of a job says, its signature, issuer and times being good. */
export interface JobClaims {
  /** Whom it was made for. */
  readonly orgId: string;
  readonly tokenId: string;
  readonly usableUntilMs: number;
  /** `owner/name`; the ids stay when it is renamed. */
  readonly repository: string;
  readonly repositoryId: string;
  readonly repositoryOwnerId: string;
  readonly ref: string;
  readonly environment: string | null;
  /** `.github/workflows/gate.yml`, behind `owner/name/` where that is another repository. */
  readonly workflow: string;
  readonly actor: string;
  readonly runId: string;
}

export interface JobTokens {
  /** Undefined for whatever is not a good token of the one issuer. */
  verify(token: string): Promise<JobClaims | undefined>;
}

export interface TrustStore {
  /** All registrations of an organisation, newest first. */
  list(orgId: string): Promise<readonly TrustedRepository[]>;
  /** Binds a registration to the ids of the job's repository. False when it is gone, or bound to others. */
  bind(id: string, job: JobClaims): Promise<boolean>;
  /** Takes note of the use of a bound registration, and of the repository's present name. */
  noteUse(id: string, job: JobClaims, at: string): Promise<void>;
  /** True the first time only. */
  spend(job: JobClaims): Promise<boolean>;
}

export interface TrustedRepositoryStore extends TrustStore {
  /** `admit` sees all registrations at the moment that counts, and throws where there may be no further one. */
  create(
    orgId: string,
    registration: TrustedRepository,
    admit: (present: readonly TrustedRepository[]) => void,
  ): Promise<void>;
  /** False when it was gone already. */
  delete(orgId: string, id: string): Promise<boolean>;
}
