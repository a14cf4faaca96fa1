import type { Project } from '../contracts/projects.ts';
import { liveProject } from './access.ts';
import { notFound } from './errors.ts';
import { defined } from './patch.ts';
import type { Ambient, Principal, ProjectStore } from './ports.ts';
import { createUnderSlug } from './slugs.ts';
import { notBefore, timestamp } from './time.ts';

type Deps = Ambient & { projects: ProjectStore };

export async function createProject(
  { projects, now, newId }: Deps,
  principal: Principal,
  wanted: { name: string; slug?: string | undefined; description: string | null },
): Promise<Project> {
  return createUnderSlug('project', { ...wanted, newId }, async (slug) => {
    const at = timestamp(now());
    const created: Project = {
      id: newId(),
      org_id: principal.orgId,
      name: wanted.name,
      slug,
      description: wanted.description,
      created_at: at,
      updated_at: at,
    };
    return { outcome: await projects.create(created), created };
  });
}

export async function updateProject(
  deps: Deps,
  principal: Principal,
  slug: string,
  changes: { name?: string | undefined; description?: string | null | undefined },
): Promise<Project> {
  const { id } = await liveProject(deps, principal, slug);
  const updated = await deps.projects.update(principal.orgId, id, (project) => ({
    ...project,
    ...defined(changes),
    updated_at: notBefore(project.updated_at, deps.now()),
  }));
  if (updated === undefined) throw notFound('project');
  return updated;
}

export async function deleteProject(deps: Deps, principal: Principal, slug: string): Promise<void> {
  const project = await liveProject(deps, principal, slug);
  const deleted = await deps.projects.delete({ ...project, updated_at: timestamp(deps.now()) });
  if (!deleted) throw notFound('project');
}
