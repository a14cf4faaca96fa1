import type { PlanId } from '../contracts/auth.ts';
import type { Credential } from '../contracts/base/credentials.ts';
import type { Scope } from '../contracts/base/scopes.ts';

export interface Principal {
  readonly orgId: string;
  readonly credential: Credential;
  /** Of the API key, or of the one that the token was made with; null for a job. */
  readonly keyName: string | null;
  readonly plan: PlanId;
  /** Grows with every change of the plan. */
  readonly planVersion: number;
  /** Runs created before this moment were gone under a former plan. They stay gone under any later plan. */
  readonly retainedFrom: string | null;
  /** The one project the credential may use; null means all. */
  readonly projectId: string | null;
  readonly scope: Scope;
  /** Of the credential; null: until it is revoked. */
  readonly expiresAt: string | null;
  readonly session?: Session | undefined;
}

/** Of a browser that has given an API key. */
export interface Session {
  readonly openedAtMs: number;
  /** Throws where the key was given more than ten minutes ago. */
  readonly requireFresh: () => void;
}

export type Job = Extract<Credential, { type: 'github_actions' }>;

/** Undefined for an API key, and for a token or session of one. */
export const jobOf = ({ credential }: Pick<Principal, 'credential'>): Job | undefined =>
  credential.type === 'github_actions' ? credential : undefined;

/** Who changed a bar, with the names of then: a key may be revoked, a repository renamed. */
export interface Author {
  readonly type: Credential['type'];
  /** Of the key, or of the repository at GitHub. */
  readonly id: string;
  readonly name: string | null;
  /** Of a job. */
  readonly workflow?: string;
}

/** Who edits. */
export type Editor = Pick<Principal, 'orgId' | 'credential' | 'keyName'>;

export function authorOf({ credential, keyName }: Editor): Author {
  if (credential.type !== 'github_actions')
    return { type: credential.type, id: credential.key_id, name: keyName };
  const { type, repository_id: id, repository: name, workflow } = credential;
  return { type, id, name, workflow };
}

/** The fields that name the acting credential in a log line. */
export const actorOf = ({ orgId, credential }: Principal) => ({ org_id: orgId, by: credential });

export interface KeyPrincipal extends Principal {
  readonly lastUsedAt: string | null;
}
