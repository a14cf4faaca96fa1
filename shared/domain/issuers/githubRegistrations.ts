import type { TrustedIssuer } from '../../contracts/credentials/trustedIssuers.ts';
import type { GithubJob } from './githubJob.ts';

interface OfRepository {
  readonly repository: string;
  readonly ref: string | null;
  readonly environment: string | null;
  readonly workflow: string | null;
  readonly job_workflow_ref: string | null;
  readonly repository_id: string | null;
  readonly repository_owner_id: string | null;
}
export type GithubRegistration = TrustedIssuer & OfRepository;

export const isGithub = (registration: TrustedIssuer): registration is GithubRegistration =>
  registration.provider === 'github';

/** ASCII only: some letters of Unicode, such as the Kelvin sign, become a different letter in lower case. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const same = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : lowered(a) === lowered(b);

const pathOf = (workflow: string): string =>
  workflow.includes('/') ? workflow : `.github/workflows/${workflow}`;

export const goesByName = ({ repository_id, repository }: GithubRegistration, job: GithubJob): boolean =>
  repository_id === null && same(repository, job.repository);

/** Once the ids of a repository are stored, only the ids count: another repository may have taken its name. */
export const isOfRepository = (registration: GithubRegistration, job: GithubJob): boolean =>
  goesByName(registration, job) ||
  (registration.repository_id === job.repositoryId &&
    registration.repository_owner_id === job.repositoryOwnerId);

/** GitHub's names of repositories have no case, those of files and refs do. */
function isSameJobWorkflow(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  const [[owner, name, ...file], [otherOwner, otherName, ...otherFile]] = [a.split('/'), b.split('/')];
  return same(`${owner}/${name}`, `${otherOwner}/${otherName}`) && file.join('/') === otherFile.join('/');
}

/**
 * Of a registration of the job's repository: whether it is about this job. A branch or a file is that of the job only where
 * the file comes from the job's ref: no review saw what another branch has in a file of that name.
 */
export const isAbout = (
  { ref, environment, workflow, job_workflow_ref }: GithubRegistration,
  job: GithubJob,
): boolean =>
  (ref === null || ref === job.ref) &&
  (environment === null || same(environment, job.environment)) &&
  (workflow === null || pathOf(workflow) === job.workflow) &&
  !(job.isWorkflowElsewhere && (ref ?? workflow) !== null) &&
  (job_workflow_ref === null || isSameJobWorkflow(job_workflow_ref, job.jobWorkflowRef ?? null));

/** Whether two registrations of repositories are equal. */
export const isTwinOfGithub = (a: GithubRegistration, b: GithubRegistration): boolean =>
  same(a.repository, b.repository) &&
  a.scope === b.scope &&
  a.ref === b.ref &&
  same(a.environment, b.environment) &&
  (a.workflow && pathOf(a.workflow)) === (b.workflow && pathOf(b.workflow)) &&
  isSameJobWorkflow(a.job_workflow_ref, b.job_workflow_ref) &&
  a.project_id === b.project_id;
