import type { CiProvider } from '../../contracts/base/credentials.ts';
import type { JobScope } from '../../contracts/base/scopes.ts';
import type { TrustedIssuer } from '../../contracts/credentials/trustedIssuers.ts';
import type {
  IssuedToken,
  IssuerTokens,
  Token,
  TokenClaims,
  TokenIssuer,
  TrustStore,
} from '../accounts/ports.ts';
import { CI_JOB_TOKEN_SECONDS, GITHUB_JOB_TOKEN_SECONDS } from '../limits.ts';
import type { Ambient } from '../ports.ts';
import type { ProjectStore } from '../suites/ports.ts';
import { DAY_SECONDS, timestamp } from '../time.ts';
import { type CiJob, ciJobIn } from './ciSystems.ts';
import { fits } from './claimConditions.ts';
import { type GithubJob, githubJobIn } from './githubJob.ts';
import {
  type GithubRegistration,
  goesByName,
  isAbout,
  isGithub,
  isOfRepository,
} from './githubRegistrations.ts';
import { ofScope, refused, refuseUnsafeJob } from './jobScopes.ts';
import { withLiveProjects } from './liveProjects.ts';
import { chosen } from './registrations.ts';

/** Of the issuer's tokens: GitHub's live for some minutes, GitLab's as long as a job may take. */
const GITHUB_SECONDS_MAX = 3_600;
const CI_SECONDS_MAX = DAY_SECONDS;

interface Deps extends Pick<Ambient, 'now'> {
  readonly issuerTokens: IssuerTokens;
  readonly trust: TrustStore;
  readonly projects: Pick<ProjectStore, 'find'>;
  readonly tokens: TokenIssuer;
  readonly githubIssuer: string;
}

interface Presented {
  readonly orgId: string;
  readonly issued: IssuedToken;
  readonly scope: JobScope;
  /** All of the organisation that trust the issuer's jobs. */
  readonly registrations: readonly TrustedIssuer[];
}

interface Admitted {
  readonly claims: TokenClaims;
  readonly seconds: number;
  /** The registration's new name, if it goes by one. */
  readonly repository?: GithubJob;
}

/**
 * A token for a job that a registration of the scope trusts. Undefined for one of a stranger: an issuer that the
 * organisation in the audience does not trust is not called.
 */
export async function exchangeJob(deps: Deps, jobToken: string, scope: JobScope): Promise<Token | undefined> {
  const { issuerTokens, trust, tokens, githubIssuer, now } = deps;
  const addressed = issuerTokens.addressOf(jobToken);
  if (addressed === undefined) return undefined;
  const { orgId, issuer } = addressed;
  const all = await trust.list(orgId);
  // Repositories are known by their numbers at the one issuer of the deployment.
  const isTrusted = (one: TrustedIssuer) =>
    one.for === 'jobs' && one.issuer === issuer && (!isGithub(one) || issuer === githubIssuer);
  const registrations = all.filter(isTrusted);
  const [first] = registrations;
  if (first === undefined) return undefined;
  const secondsMax = isGithub(first) ? GITHUB_SECONDS_MAX : CI_SECONDS_MAX;
  const issued = await issuerTokens.verify(jobToken, { issuer, secondsMax });
  if (issued === undefined) return undefined;
  const presented = { orgId, issued, scope, registrations };
  const admitted = isGithub(first) ? await admitGithub(deps, presented) : await admitCi(deps, presented);
  if (admitted === undefined) return undefined;
  const { claims, seconds, repository } = admitted;
  const token = await tokens.issue(claims, seconds);
  // Last, so that a failure before it leaves the OIDC token unspent. A failed note of the use is ignored.
  if (!(await trust.spend(issued))) return undefined;
  const { credential } = claims;
  if ('registration_id' in credential) {
    const use = { at: timestamp(now()), repository };
    await trust.recordUse(orgId, credential.registration_id, use).catch(() => undefined);
  }
  return token;
}

async function admitGithub(deps: Deps, presented: Presented): Promise<Admitted | undefined> {
  const { orgId, issued, scope } = presented;
  const job = githubJobIn(issued);
  if (job === undefined) return undefined;
  const registrations = presented.registrations.filter(isGithub);
  const present = registrations.filter((registration) => isOfRepository(registration, job));
  if (present.length === 0) return undefined;
  if (scope === 'suites') refuseUnsafeJob(job);
  const matching = present.filter((registration) => isAbout(registration, job));
  const live = await withLiveProjects(deps, orgId, matching);
  const registration = chosen(ofScope(scope, live, 'its repository, branch, workflow file and project'));
  if (registration === undefined) return undefined;
  if (!(await bound(deps, { orgId, job, registration, registrations }))) return undefined;
  const claims = { ...rightsOf(orgId, registration), credential: githubCredential(registration, job) };
  return { claims, seconds: GITHUB_JOB_TOKEN_SECONDS, repository: job };
}

async function admitCi(
  deps: Deps,
  { orgId, issued, scope, registrations }: Presented,
): Promise<Admitted | undefined> {
  const matching = registrations.filter(({ claims }) => claims !== null && fits(claims, issued.claims));
  const jobs = matching.flatMap((registration) => {
    const job = ciJobIn(registration.provider as CiProvider, issued.claims);
    return job === undefined ? [] : [{ ...registration, job }];
  });
  if (jobs.length === 0) return undefined;
  if (scope === 'suites' && jobs.every(({ job }) => job.unsafe !== undefined))
    throw refused(jobs[0]?.job.unsafe ?? '');
  const isSafe = ({ job }: { readonly job: CiJob }) => scope !== 'suites' || job.unsafe === undefined;
  const live = await withLiveProjects(deps, orgId, jobs.filter(isSafe));
  const registration = chosen(
    ofScope(scope, live, 'project_id, ref_path, ci_config_ref_uri and one project'),
  );
  if (registration === undefined) return undefined;
  const credential = ciCredential(registration, registration.job);
  return { claims: { ...rightsOf(orgId, registration), credential }, seconds: CI_JOB_TOKEN_SECONDS };
}

const rightsOf = (orgId: string, { project_id, scope }: TrustedIssuer) => ({
  orgId,
  projectId: project_id,
  scope,
});

interface Binding {
  readonly orgId: string;
  readonly job: GithubJob;
  readonly registration: GithubRegistration;
  readonly registrations: readonly GithubRegistration[];
}

/** Binds all registrations that go by this name, so that a new repository of the same name matches none of them. */
async function bound(
  { trust }: Pick<Deps, 'trust'>,
  { orgId, job, registration, registrations }: Binding,
): Promise<boolean> {
  // The chosen registration first: of two repositories that come at once, the second binds none.
  if (goesByName(registration, job) && !(await trust.bind(orgId, registration.id, job))) return false;
  const otherRegistrations = registrations.filter(
    (other) => other.id !== registration.id && goesByName(other, job),
  );
  await Promise.all(otherRegistrations.map(({ id }) => trust.bind(orgId, id, job)));
  return true;
}

function githubCredential(registration: TrustedIssuer, job: GithubJob) {
  const { repository, actor, ref, sha, workflow, runId } = job;
  const { eventName, headRef, jobWorkflowRef, runAttempt } = job;
  return {
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
}

function ciCredential({ id, provider, issuer, label }: TrustedIssuer, job: CiJob) {
  const { subject, name = label, ref, sha, eventName, actor, runId } = job;
  return {
    type: 'ci_job',
    registration_id: id,
    provider: provider as CiProvider,
    issuer,
    subject,
    name,
    ...(ref !== undefined && { ref }),
    ...(sha !== undefined && { sha }),
    ...(eventName !== undefined && { event_name: eventName }),
    ...(actor !== undefined && { actor }),
    ...(runId !== undefined && { run_id: runId }),
  } as const;
}
