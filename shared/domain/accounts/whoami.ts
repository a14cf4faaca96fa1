import { notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { ProjectStore } from '../suites/ports.ts';
import type { AccountStore } from './ports.ts';

interface Deps {
  readonly accounts: Pick<AccountStore, 'organisation'>;
  readonly projects: Pick<ProjectStore, 'find'>;
}

/** The credential of a request, with its organisation and project as they are called now. */
export async function describeCaller({ accounts, projects }: Deps, principal: Principal) {
  const { orgId, projectId, scope, credential, expiresAt } = principal;
  const [organisation, project] = await Promise.all([
    accounts.organisation(orgId),
    projectId === null ? null : projects.find(orgId, projectId),
  ]);
  if (organisation === undefined) throw notFound('organisation');
  if (project === undefined) throw notFound('project');
  const { id, name, plan, deletes_at } = organisation;
  return {
    organisation: { id, name, plan, deletes_at },
    project: project && { id: project.id, slug: project.slug, name: project.name },
    scope,
    credential,
    expires_at: expiresAt,
  };
}
