import type { TrustedIssuer } from '../../contracts/credentials/trustedIssuers.ts';
import { invalidField } from '../errors.ts';
import { isGithub, isTwinOfGithub } from './githubRegistrations.ts';

/** Of several registrations, one for all projects wins. Registrations for two projects are an error. */
export function chosen<Registration extends TrustedIssuer>(
  matching: readonly Registration[],
): Registration | undefined {
  const widest = matching.find(({ project_id }) => project_id === null) ?? matching[0];
  const projects = new Set(matching.map(({ project_id }) => project_id));
  if (widest?.project_id != null && projects.size > 1) {
    const orOnce = widest.scope === 'run' ? ', or once without a project' : '';
    throw invalidField(
      isGithub(widest) ? 'repository' : 'claims',
      `is trusted for several projects, and which one this job is for is unknown: register each with its own ${isGithub(widest) ? 'workflow, job_workflow_ref, ref or environment' : 'claims'}${orOnce}`,
    );
  }
  return widest;
}

const sorted = (claims: TrustedIssuer['claims']): string =>
  JSON.stringify(
    Object.entries(claims ?? {})
      .map(([name, allowed]) => [name, ...[...new Set([allowed].flat())].toSorted()])
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );

/** Whether two registrations are equal. Equal ones are refused, since deleting one would leave the other. */
export function isTwin(a: TrustedIssuer, b: TrustedIssuer): boolean {
  if (a.for !== b.for || a.issuer !== b.issuer || a.provider !== b.provider) return false;
  if (isGithub(a) && isGithub(b)) return isTwinOfGithub(a, b);
  return a.scope === b.scope && a.project_id === b.project_id && sorted(a.claims) === sorted(b.claims);
}
