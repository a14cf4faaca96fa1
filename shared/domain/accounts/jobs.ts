import type { TrustedRepository } from '../../contracts/credentials/trustedRepositories.ts';
import { AppError, invalidField } from '../errors.ts';
import { JOB_TOKEN_SECONDS } from '../limits.ts';
import type { Ambient } from '../ports.ts';
import type { ProjectStore } from '../suites/ports.ts';
import { timestamp } from '../time.ts';
import type { JobClaims, JobTokens, Token, TokenClaims, TokenIssuer, TrustStore } from './ports.ts';

/** The issuer's keys could not be fetched, so that the token can be neither accepted nor rejected. */
export const issuerUnavailable = (): AppError =>
  new AppError(
    'OIDC_ISSUER_UNAVAILABLE',
    'The keys that GitHub signs the tokens of jobs with cannot be fetched. The token is not spent: try again in a minute.',
  );

interface Deps extends Pick<Ambient, 'now'> {
  readonly jobTokens: JobTokens;
  readonly trust: TrustStore;
  readonly projects: Pick<ProjectStore, 'find'>;
  readonly tokens: TokenIssuer;
}

/** A token of scope `run` for 15 minutes, for a job that a registration trusts. Undefined for any other job. */
export async function exchangeJob(deps: Deps, jobToken: string): Promise<Token | undefined> {
  const { jobTokens, trust, tokens, now } = deps;
  const job = await jobTokens.verify(jobToken);
  if (job === undefined) return undefined;
  const registrations = await trust.list(job.orgId);
  const matching = registrations.filter((candidate) => trusts(candidate, job));
  const registration = chosen(await withLiveProjects(deps, job.orgId, matching));
  if (registration === undefined || !(await bound(deps, job, registration, registrations))) return undefined;
  const token = await tokens.issue(claimsFor(registration, job), JOB_TOKEN_SECONDS);
  // Last, so that a failure before it leaves the OIDC token unspent. A failed note of the use is ignored.
  if (!(await trust.spend(job))) return undefined;
  await trust.noteUse(registration.id, job, timestamp(now())).catch(() => undefined);
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
  const { orgId, repository, actor, ref, workflow, runId } = job;
  const credential = {
    type: 'github_actions',
    registration_id: registration.id,
    repository,
    actor,
    ref,
    workflow,
    run_id: runId,
  } as const;
  return { orgId, projectId: registration.project_id, scope: 'run', credential };
}

/** ASCII only: some letters of Unicode, such as the Kelvin sign, become a different letter in lower case. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const same = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : lowered(a) === lowered(b);

const pathOf = (workflow: string): string =>
  workflow.includes('/') ? workflow : `.github/workflows/${workflow}`;

const goesByName = ({ repository_id, repository }: TrustedRepository, job: JobClaims): boolean =>
  repository_id === null && same(repository, job.repository);

/** Once the ids of a repository are stored, only the ids count: another repository may have taken its name. */
function trusts(registration: TrustedRepository, job: JobClaims): boolean {
  const { repository_id, repository_owner_id, ref, environment, workflow } = registration;
  const isRepository =
    goesByName(registration, job) ||
    (repository_id === job.repositoryId && repository_owner_id === job.repositoryOwnerId);
  return (
    isRepository &&
    (ref === null || ref === job.ref) &&
    (environment === null || same(environment, job.environment)) &&
    (workflow === null || pathOf(workflow) === job.workflow)
  );
}

/** Of several registrations, one for all projects wins. Registrations for two projects are an error. */
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

/** Whether two registrations are equal. Equal ones are refused, since deleting one would leave the other. */
export const isTwin = (a: TrustedRepository, b: TrustedRepository): boolean =>
  same(a.repository, b.repository) &&
  a.ref === b.ref &&
  same(a.environment, b.environment) &&
  (a.workflow && pathOf(a.workflow)) === (b.workflow && pathOf(b.workflow)) &&
  a.project_id === b.project_id;
