import type { TrustedIssuer } from '../../contracts/credentials/trustedIssuers.ts';
import type { ProjectStore } from '../suites/ports.ts';

/** Without registrations for projects that were deleted. */
export async function withLiveProjects<Registration extends TrustedIssuer>(
  { projects }: { readonly projects: Pick<ProjectStore, 'find'> },
  orgId: string,
  registrations: readonly Registration[],
): Promise<readonly Registration[]> {
  const ids = new Set(registrations.flatMap(({ project_id }) => project_id ?? []));
  const storedProjects = await Promise.all([...ids].map((id) => projects.find(orgId, id)));
  const live = new Set(storedProjects.map((project) => project?.id));
  return registrations.filter(({ project_id }) => project_id === null || live.has(project_id));
}
