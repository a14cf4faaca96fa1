import type { JobScope } from '../../contracts/base/scopes.ts';
import type { TrustedRepository } from '../../contracts/credentials/trustedRepositories.ts';
import { AppError } from '../errors.ts';
import { JOB_TOKEN_SECONDS } from '../limits.ts';
import type { Ambient } from '../ports.ts';
import type { ProjectStore } from '../suites/ports.ts';
import { timestamp } from '../time.ts';
import { ofScope, refuseUnsafeJob } from './jobScopes.ts';
import type { JobClaims, JobTokens, Token, TokenClaims, TokenIssuer, TrustStore } from './ports.ts';
import { chosen, goesByName, isAbout, isOfRepository } from './registrations.ts';

/** The issuer's keys could not be fetched, so that the token can be neither accepted nor rejected. */
export const issuerUnavailable = (): AppError =>
  new AppError(
    'OIDC_ISSUER_UNAVAILABLE',
    "GitHub's keys, which check the tokens of jobs, cannot be fetched. The token is not spent: try again in a minute.",
  );

interface Deps extends Pick<Ambient, 'now'> {
  readonly jobTokens: JobTokens;
  readonly trust: TrustStore;
  readonly projects: Pick<ProjectStore, 'find'>;
  readonly tokens: TokenIssuer;
}

/** A token for 15 minutes, for a job that a registration of the scope trusts. Undefined for one of a stranger. */
export async function exchangeJob(deps: Deps, jobToken: string, scope: JobScope): Promise<Token | undefined> {
  const { jobTokens, trust, tokens, now } = deps;
  const job = await jobTokens.verify(jobToken);
  if (job === undefined) return undefined;
  const registrations = await trust.list(job.orgId);
  const present = registrations.filter((registration) => isOfRepository(registration, job));
  if (present.length === 0) return undefined;
  if (scope === 'suites') refuseUnsafeJob(job);
  const matching = present.filter((registration) => isAbout(registration, job));
  const live = await withLiveProjects(deps, job.orgId, matching);
  const registration = chosen(ofScope(scope, live));
  if (registration === undefined || !(await bound(deps, job, registration, registrations))) return undefined;
  const token = await tokens.issue(claimsFor(registration, job), JOB_TOKEN_SECONDS);
  // Last, so that a failure before it leaves the OIDC token unspent. A failed note of the use is ignored.
  if (!(await trust.spend(job))) return undefined;
  await trust.recordUse(registration.id, job, timestamp(now())).catch(() => undefined);
  return token;
}

async function withLiveProjects(
  { projects }: Pick<Deps, 'projects'>,
  orgId: string,
  registrations: readonly TrustedRepository[],
): Promise<readonly TrustedRepository[]> {
  const ids = new Set(registrations.flatMap(({ project_id }) => project_id ?? []));
  const found = await Promise.all([...ids].map((id) => projects.find(orgId, id)));
  const live = new Set(found.map((project) => project?.id));
  return registrations.filter(({ project_id }) => project_id === null || live.has(project_id));
}

/** Binds all registrations that go by this name, so that a new repository of the same name matches none of them. */
async function bound(
  { trust }: Pick<Deps, 'trust'>,
  job: JobClaims,
  registration: TrustedRepository,
  registrations: readonly TrustedRepository[],
): Promise<boolean> {
  // The chosen registration first: of two repositories that come at once, the second binds none.
  if (goesByName(registration, job) && !(await trust.bind(registration.id, job))) return false;
  const others = registrations.filter((other) => other !== registration && goesByName(other, job));
  await Promise.all(others.map(({ id }) => trust.bind(id, job)));
  return true;
}

function claimsFor(registration: TrustedRepository, job: JobClaims): TokenClaims {
  const { orgId, repository, actor, ref, sha, workflow, runId } = job;
  const { eventName, headRef, jobWorkflowRef, runAttempt } = job;
  const credential = {
    type: 'github_actions',
    registration_id: registration.id,
    repository,
    repository_id: job.repositoryId,
    repository_owner_id: job.repositoryOwnerId,
    actor,
    ...(eventName !== undefined && { event_name: eventName }),
    ref,
    ...(headRef !== undefined && { head_ref: headRef }),
    ...(sha !== undefined && { sha }),
    workflow,
    ...(jobWorkflowRef !== undefined && { job_workflow_ref: jobWorkflowRef }),
    run_id: runId,
    ...(runAttempt !== undefined && { run_attempt: runAttempt }),
  } as const;
  return { orgId, projectId: registration.project_id, scope: registration.scope, credential };
}
