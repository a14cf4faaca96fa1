import type { TrustedRepository } from '../../contracts/trustedRepositories.ts';
import { invalidField } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import { timestamp } from '../time.ts';
import type { TokenIssuer } from './tokens.ts';

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
  /** `.github/workflows/gate.yml` */
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
  /** Binds a registration to the ids of its repository, on its first use. False when it is gone, or bound to others. */
  use(orgId: string, id: string, job: JobClaims, at: string): Promise<boolean>;
  /** True the first time only. */
  spend(job: JobClaims): Promise<boolean>;
}

interface Deps extends Pick<Ambient, 'now'> {
  readonly jobTokens: JobTokens;
  readonly trust: TrustStore;
  readonly tokens: TokenIssuer;
}

const LIFETIME_SECONDS = 900;

/** A token that runs gates for a quarter of an hour, for a job that a registration trusts; undefined otherwise. */
export async function exchangeJob(deps: Deps, jobToken: string) {
  const job = await deps.jobTokens.verify(jobToken);
  if (job === undefined) return undefined;
  const registration = chosen((await deps.trust.list(job.orgId)).filter((trusted) => trusts(trusted, job)));
  if (registration === undefined) return undefined;
  if (!(await deps.trust.spend(job))) return undefined;
  if (!(await deps.trust.use(job.orgId, registration.id, job, timestamp(deps.now())))) return undefined;
  const { repository, actor, ref, workflow, runId } = job;
  return deps.tokens.issue(
    {
      orgId: job.orgId,
      projectId: registration.project_id,
      scope: 'run',
      credential: {
        type: 'github_actions',
        registration_id: registration.id,
        repository,
        actor,
        ref,
        workflow,
        run_id: runId,
      },
    },
    LIFETIME_SECONDS,
  );
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A repository is known by its ids as soon as they are known: a new one under an old name is another one. */
export function trusts(registration: TrustedRepository, job: JobClaims): boolean {
  const { repository_id, repository_owner_id, ref, environment, workflow } = registration;
  const isRepository =
    repository_id === null
      ? same(registration.repository, job.repository)
      : repository_id === job.repositoryId && repository_owner_id === job.repositoryOwnerId;
  return (
    isRepository &&
    (ref === null || ref === job.ref) &&
    (environment === null || (job.environment !== null && same(environment, job.environment))) &&
    (workflow === null || workflow === job.workflow || `.github/workflows/${workflow}` === job.workflow)
  );
}

/** Several may trust one job; one for all projects is the widest. Two projects are for the job to choose from. */
function chosen(matching: readonly TrustedRepository[]): TrustedRepository | undefined {
  const widest = matching.find(({ project_id }) => project_id === null) ?? matching[0];
  const projects = new Set(matching.map(({ project_id }) => project_id));
  if (widest?.project_id != null && projects.size > 1) {
    throw invalidField(
      'repository',
      'is trusted for several projects, and nothing says which one this job is for: register each with its own workflow, ref or environment, or once without a project',
    );
  }
  return widest;
}
