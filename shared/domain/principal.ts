import type { PlanId } from '../contracts/auth.ts';
import type { Credential } from '../contracts/base/credentials.ts';
import type { Scope } from '../contracts/base/scopes.ts';

/** Who is calling, as the credential says. */
export interface Principal {
  readonly orgId: string;
  readonly credential: Credential;
  readonly plan: PlanId;
  /** Runs created before were past the retention of a former plan: gone, whatever the plan is by now. */
  readonly retainedFrom: string | null;
  /** The one project the credential may use; null means all. */
  readonly projectId: string | null;
  readonly scope: Scope;
}

/** An API key may be exchanged for tokens, and it is noted when it was used. */
export interface KeyPrincipal extends Principal {
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}
