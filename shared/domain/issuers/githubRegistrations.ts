import type { TrustedRepository } from '../../contracts/credentials/trustedRepositories.ts';
import { invalidField } from '../errors.ts';
import type { JobClaims } from './ports.ts';

/** ASCII only: some letters of Unicode, such as the Kelvin sign, become a different letter in lower case. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const same = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : lowered(a) === lowered(b);

const pathOf = (workflow: string): string =>
  workflow.includes('/') ? workflow : `.github/workflows/${workflow}`;

export const goesByName = ({ repository_id, repository }: TrustedRepository, job: JobClaims): boolean =>
  repository_id === null && same(repository, job.repository);

/** Once the ids of a repository are stored, only the ids count: another repository may have taken its name. */
export const isOfRepository = (registration: TrustedRepository, job: JobClaims): boolean =>
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
  { ref, environment, workflow, job_workflow_ref }: TrustedRepository,
  job: JobClaims,
): boolean =>
  (ref === null || ref === job.ref) &&
  (environment === null || same(environment, job.environment)) &&
  (workflow === null || pathOf(workflow) === job.workflow) &&
  !(job.isWorkflowElsewhere && (ref ?? workflow) !== null) &&
  (job_workflow_ref === null || isSameJobWorkflow(job_workflow_ref, job.jobWorkflowRef ?? null));

/** Of several registrations, one for all projects wins. Registrations for two projects are an error. */
export function chosen(matching: readonly TrustedRepository[]): TrustedRepository | undefined {
  const widest = matching.find(({ project_id }) => project_id === null) ?? matching[0];
  const projects = new Set(matching.map(({ project_id }) => project_id));
  if (widest?.project_id != null && projects.size > 1) {
    const orOnce = widest.scope === 'run' ? ', or once without a project' : '';
    throw invalidField(
      'repository',
      `is trusted for several projects, and which one this job is for is unknown: register each with its own workflow, job_workflow_ref, ref or environment${orOnce}`,
    );
  }
  return widest;
}

/** Whether two registrations are equal. Equal ones are refused, since deleting one would leave the other. */
export const isTwin = (a: TrustedRepository, b: TrustedRepository): boolean =>
  same(a.repository, b.repository) &&
  a.scope === b.scope &&
  a.ref === b.ref &&
  same(a.environment, b.environment) &&
  (a.workflow && pathOf(a.workflow)) === (b.workflow && pathOf(b.workflow)) &&
  isSameJobWorkflow(a.job_workflow_ref, b.job_workflow_ref) &&
  a.project_id === b.project_id;
