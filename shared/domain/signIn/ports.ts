import type { NewSignIn } from '../../contracts/credentials/signIn.ts';
import type { Discovery, Person } from '../accounts/ports.ts';
import type { Secret } from '../byok/secret.ts';
import type { LoggedChange } from '../changes/log.ts';
import type { Claims } from '../issuers/claimConditions.ts';

/** The provider of an organisation's sign-ins, as it is stored. */
export interface StoredSignIn extends Omit<NewSignIn, 'client_secret' | 'label'> {
  readonly label: string;
  /** Null for a public client. `id`: a new one with each secret. */
  readonly secret: { readonly id: string; readonly ciphertext: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SignInReader {
  read(orgId: string): Promise<StoredSignIn | undefined>;
}

export interface SignInStore extends SignInReader {
  /**
   * `change` gets what is stored and whether persons' registrations exist, at one version of the organisation, and throws
   * where it may not be changed; undefined: it is deleted. False: there is no such organisation.
   */
  change(
    orgId: string,
    change: (
      before: StoredSignIn | undefined,
      hasPersons: boolean,
    ) => { readonly after: StoredSignIn | undefined; readonly log: LoggedChange },
  ): Promise<boolean>;
}

/** What the browser keeps of a sign-in that it has begun, in a cookie that we sign. */
export interface Begun {
  readonly orgId: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly project?: string | undefined;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When it was begun, in seconds since 1970, where the provider has to ask for the password again. */
  readonly freshSince?: number | undefined;
  /** Who is signed in and has to come back. */
  readonly expects?: Person | undefined;
}

export interface Returned {
  readonly code: string;
  readonly state: string;
  readonly iss?: string | undefined;
}

/** A code at the provider for the claims of an ID token: OpenID Connect Core 1.0, section 3.1.3. */
export interface SignInProvider {
  /** Throws `SIGN_IN_FAILED`, or an error of the provider's absence. */
  redeem(
    signIn: Pick<StoredSignIn, 'issuer' | 'client_id'> & {
      readonly secret: Secret | undefined;
      readonly discovery: Discovery;
      readonly redirectUri: string;
    },
    begun: Begun,
    returned: Returned,
  ): Promise<{ readonly idToken: string; readonly claims: Claims }>;
}
