import type { PlanId } from '../contracts/auth.ts';
import type { CiProvider, Credential } from '../contracts/base/credentials.ts';
import type { Scope } from '../contracts/base/scopes.ts';

export interface Principal {
  readonly orgId: string;
  readonly credential: Credential;
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
  /** When its organisation goes, where that is being deleted. */
  readonly deletesAt?: string | undefined;
  readonly session?: Session | undefined;
}

/** Of a browser that has given an API key. */
export interface Session {
  readonly openedAtMs: number;
  /** Throws where the key was given more than ten minutes ago. */
  readonly requireReauthentication: () => void;
}

export type Job = Extract<Credential, { type: 'github_actions' | 'ci_job' }>;

export const isJob = (credential: Credential): credential is Job =>
  credential.type === 'github_actions' || credential.type === 'ci_job';

/** Undefined for an API key, and for a token or session of one. */
export const jobOf = ({ credential }: Pick<Principal, 'credential'>): Job | undefined =>
  isJob(credential) ? credential : undefined;

/** Whose a job is. Only provider, issuer and id say so: another repository or project may take the name. */
export interface JobSource {
  readonly provider: 'github' | CiProvider;
  /** Of GitHub null: the deployment names it. */
  readonly issuer: string | null;
  readonly id: string;
  /** Of then. */
  readonly name: string;
}

export const sourceOf = (job: Job): JobSource =>
  job.type === 'github_actions'
    ? { provider: 'github', issuer: null, id: job.repository_id, name: job.repository }
    : { provider: job.provider, issuer: job.issuer, id: job.subject, name: job.name };

export const isSameSource = (a: JobSource, b: JobSource): boolean =>
  a.provider === b.provider && a.issuer === b.issuer && a.id === b.id;

/** Who edits. */
export type Editor = Pick<Principal, 'orgId' | 'credential'>;

/** The fields that name the acting credential in a log line: a key by its id and a person by the subject, without names. */
export function actorOf({ orgId, credential: { label: _, ...by } }: Principal) {
  if (by.type !== 'person') return { org_id: orgId, by };
  const { name: __, ...subject } = by;
  return { org_id: orgId, by: subject };
}

export interface KeyPrincipal extends Principal {
  readonly lastUsedAt: string | null;
}
