import type { ApiKey, Organisation, PlanId } from '../../contracts/auth.ts';
import type { TokenCredential } from '../../contracts/base/credentials.ts';
import type { Scope } from '../../contracts/base/scopes.ts';
import type { TrustedIssuer } from '../../contracts/credentials/trustedIssuers.ts';
import type { LoggedChange } from '../changes/log.ts';
import type { KeyPrincipal, Principal, Session } from '../principal.ts';

/** What a request brings, in place of who it is. */
export type Presented =
  | { readonly kind: 'api_key'; readonly sha256: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'session'; readonly sent: SentRequest };

export interface SentRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  /** As API Gateway has it. */
  readonly requestContext?: { readonly http: { readonly protocol: string; readonly sourceIp: string } };
}

export interface ApiKeyStore {
  /**
   * At the limit of its organisation's plan the new key replaces the key that expired first, if one has expired. Beyond it,
   * as after a change to a smaller plan, none is made.
   */
  create(
    orgId: string,
    key: ApiKey & { readonly sha256: string },
    limitOf: (plan: PlanId) => number,
    log: LoggedChange,
  ): Promise<'created' | 'limit_reached' | 'organisation_gone'>;
  list(orgId: string): Promise<readonly ApiKey[]>;
  /** `mayRevoke` gets all keys as they are in the transaction. */
  revoke(
    orgId: string,
    keyId: string,
    mayRevoke: (key: ApiKey, keys: readonly ApiKey[]) => boolean,
    log: LoggedChange,
  ): Promise<'revoked' | 'gone' | 'refused'>;
  /** Ends all sessions of a key that were opened until then. */
  endSessions(orgId: string, keyId: string, untilMs: number): Promise<void>;
}

/** Of an issuer. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
}

export interface PersonStore {
  /**
   * Ends all sessions that were opened until then, of one person or of all, and the tokens that were made in them. `log`:
   * where another one ends them than the person.
   */
  endSessions(orgId: string, person: Person | 'all', untilMs: number, log?: LoggedChange): Promise<void>;
}

/** `log`: the first entry of the organisation's log. */
export interface AccountMaker {
  create(organisation: Organisation, key: ApiKey & { sha256: string }, log?: LoggedChange): Promise<void>;
}

export interface AccountStore {
  organisation(orgId: string): Promise<Organisation | undefined>;
  /** Undefined for a key that is unknown, revoked or expired. */
  principalOfKey(sha256: string): Promise<KeyPrincipal | undefined>;
  /** Stores the time of use, unless a time after `notAfter` is stored already. */
  touchKey(sha256: string, usedAt: string, notAfter: string): Promise<void>;
  /** Undefined when the key or registration that the token was made for is gone, or the session has ended. */
  principalOfToken(claims: VerifiedClaims): Promise<Principal | undefined>;
}

export interface DeletionStore {
  /** When the organisation goes: another time than the given one where its deletion was begun before. Undefined: it is gone. */
  begin(orgId: string, deletesAt: string, log: LoggedChange): Promise<string | undefined>;
  /** False once everything goes. */
  takeBack(orgId: string, log: LoggedChange): Promise<boolean>;
}

export interface TokenClaims {
  readonly orgId: string;
  readonly projectId: string | null;
  readonly scope: Scope;
  /** A key or registration. When it is gone, the token is rejected, even before it expires. */
  readonly credential: TokenCredential;
}

export interface VerifiedClaims extends TokenClaims {
  readonly expiresAt: string;
  /** Of a session, and of a person's token: when the session was opened. In ms since 1970. */
  readonly openedAtMs?: number | undefined;
  readonly session?: Session | undefined;
}

export interface Token {
  readonly token: string;
  readonly expires_at: string;
}

export interface TokenIssuer {
  issue(
    claims: TokenClaims,
    lifetimeSeconds: number,
    as?: {
      /** For a cookie. `authSeconds`, since 1970: when the key was given, or the person signed in at the provider. */
      readonly session?: { readonly authSeconds: number | undefined };
      /** Of a person's token. */
      readonly openedAtMs?: number;
    },
  ): Promise<Token>;
}

export interface TokenVerifier {
  /** Undefined for anything but an unexpired token, or session, that this deployment signed. */
  verify(presented: Exclude<Presented, { kind: 'api_key' }>): Promise<VerifiedClaims | undefined>;
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

/** The first key signs. All keys verify, so that a key can be rotated while its tokens are valid. */
export interface VerifyingKeys<Jwk = PublicJwk> {
  publicKeys(): Promise<readonly Jwk[]>;
}

export interface SigningKeys<Jwk = PublicJwk> extends VerifyingKeys<Jwk> {
  /** Over SHA-256, with the first key: of RSA RSASSA-PKCS1-v1_5, of EC ECDSA in DER. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}

/** A token of an issuer that the organisation trusts, after its signature, issuer and times were verified. */
export interface IssuedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** SHA-256, in hex, of the issuer and what is unique in the token: no issuer spends another's. */
  readonly spentAs: string;
  readonly usableUntilMs: number;
}

export interface IssuerTokens {
  /** Unverified: the issuer that a job's token names, and the organisation in its audience, which is one text. */
  addressOf(token: string): { readonly issuer: string; readonly orgId: string } | undefined;
  /** Undefined for anything but a valid token of the issuer. Throws where its keys cannot be read. */
  verify(
    token: string,
    expected: { readonly issuer: string; readonly secondsMax: number },
  ): Promise<IssuedToken | undefined>;
  /** Throws where it cannot be read. */
  discovery(issuer: string): Promise<Discovery>;
}

/** What an issuer's discovery names, by OpenID Connect Discovery 1.0. */
export interface Discovery {
  readonly jwks_uri: string;
  readonly authorization_endpoint?: string | undefined;
  readonly token_endpoint?: string | undefined;
  readonly authorization_response_iss_parameter_supported?: boolean | undefined;
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined;
}

/** A key that an issuer signs with, by RFC 7517: RS256 by RSA, ES256 by P-256. */
export type IssuerKey =
  | { readonly kty: 'RSA'; readonly kid: string; readonly n: string; readonly e: string }
  | {
      readonly kty: 'EC';
      readonly kid: string;
      readonly crv: 'P-256';
      readonly x: string;
      readonly y: string;
    };

/** The key set of an issuer as all functions share it. Times are in ms since 1970. */
export interface StoredKeySet {
  /** As they were fetched last; none when they never were. */
  readonly keys: readonly IssuerKey[];
  readonly discovery: Discovery | undefined;
  readonly triedAtMs: number;
  readonly fetchedAtMs: number | undefined;
  /** The `triedAtMs` of the last fetch that ended: if the two differ, a fetch is under way or its function died. */
  readonly endedAtMs: number | undefined;
}

export interface KeySetStore {
  read(): Promise<StoredKeySet | undefined>;
  /**
   * Undefined: the caller is to fetch, and no other function is. Otherwise what is stored: somebody tried after
   * `triedBeforeMs`. A try later than `aheadMs` counts as none.
   */
  claim(claim: {
    readonly atMs: number;
    readonly triedBeforeMs: number;
    readonly aheadMs: number;
  }): Promise<StoredKeySet | undefined>;
  /** Both change nothing if another function has tried since. */
  keep(
    triedAtMs: number,
    published: { readonly keys: readonly IssuerKey[]; readonly discovery: Discovery },
  ): Promise<void>;
  fail(triedAtMs: number): Promise<void>;
}

/** At GitHub. The ids stay the same when it is renamed. */
export interface NamedRepository {
  readonly repository: string;
  readonly repositoryId: string;
  readonly repositoryOwnerId: string;
}

export interface TrustStore {
  /** All registrations of an organisation, newest first. */
  list(orgId: string): Promise<readonly TrustedIssuer[]>;
  /** Binds a registration to the ids of a repository. False when it is gone, or bound to others. */
  bind(orgId: string, id: string, repository: NamedRepository): Promise<boolean>;
  /** Stores the time of use; of a bound registration also the present name of the repository. */
  recordUse(
    orgId: string,
    id: string,
    use: { readonly at: string; readonly repository: NamedRepository | undefined },
  ): Promise<void>;
  /** True the first time only. */
  spend(token: Pick<IssuedToken, 'spentAs' | 'usableUntilMs'>): Promise<boolean>;
}

export interface TrustedIssuerStore extends TrustStore {
  /** `admit` gets all registrations as they are in the transaction, and throws if no further one is allowed. */
  create(
    orgId: string,
    registration: TrustedIssuer,
    admit: (present: readonly TrustedIssuer[]) => Promise<void>,
    log: LoggedChange,
  ): Promise<void>;
  delete(orgId: string, id: string, log: LoggedChange): Promise<boolean>;
}
