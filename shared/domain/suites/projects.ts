import type { PageQuery } from '../../contracts/base/common.ts';
import type { Project } from '../../contracts/projects.ts';
import { requireScope } from '../access.ts';
import { changesBetween } from '../changes/fields.ts';
import { fieldsOf, logged } from '../changes/log.ts';
import { AppError, notFound } from '../errors.ts';
import { patched } from '../patch.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { timestamp } from '../time.ts';
import { liveProject } from './access/live.ts';
import type { ProjectStore } from './ports.ts';
import { createUnderSlug } from './slugs.ts';

type Deps = Ambient & { projects: ProjectStore };

export async function createProject(
  { projects, now, newId }: Deps,
  principal: Principal,
  fields: Pick<Project, 'name' | 'description' | 'weaker_pushes'> & { slug?: string | undefined },
): Promise<Project> {
  requireScope(principal);
  if (principal.projectId !== null) throw boundToOne();
  return createUnderSlug('project', { ...fields, newId }, async (slug) => {
    const createdAt = timestamp(now());
    const created: Project = {
      id: newId(),
      org_id: principal.orgId,
      name: fields.name,
      slug,
      description: fields.description,
      weaker_pushes: fields.weaker_pushes,
      created_at: createdAt,
      updated_at: createdAt,
    };
    const outcome = await projects.create(created, logged(principal, now(), madeLog(created, 'created')));
    if (outcome === 'id_taken') return 'again';
    return outcome === 'created' ? created : outcome;
  });
}

const targetOf = ({ id, slug: key, name }: Project) => ({ type: 'project', id, key, name }) as const;

/** A project's own log goes with it. */
const madeLog = (project: Project, action: 'created' | 'deleted') => ({
  projectId: null,
  action,
  target: targetOf(project),
  changes: fieldsOf(['weaker_pushes'], project, action === 'created' ? 'made' : 'ended'),
});

const boundToOne = () =>
  new AppError(
    'SCOPE_REQUIRED',
    'This credential is bound to one project and creates no others: send an API key of the organisation.',
  );

/** A credential that is bound to a project gets that one. */
export async function listProjects(
  { projects }: Pick<Deps, 'projects'>,
  principal: Principal,
  query: PageQuery,
): Promise<Page<Project>> {
  requireScope(principal, 'read');
  const { orgId, projectId } = principal;
  if (projectId === null) return projects.page(orgId, query);
  const project = await projects.find(orgId, projectId);
  return {
    items: project !== undefined && query.page === 1 ? [project] : [],
    total: project === undefined ? 0 : 1,
  };
}

type Changeable = 'name' | 'description' | 'weaker_pushes';

export async function updateProject(
  deps: Deps,
  principal: Principal,
  slug: string,
  changes: { readonly [K in Changeable]?: Project[K] | undefined },
): Promise<Project> {
  const { id } = await liveProject(deps, principal, slug);
  const changed = (project: Project): Project => {
    const after = patched(project, changes, deps.now());
    // More credentials may make bars weaker then.
    if (project.weaker_pushes === 'full' && after.weaker_pushes !== 'full')
      principal.session?.requireReauthentication();
    return after;
  };
  const updated = await deps.projects.update(principal.orgId, id, changed, (before, after) =>
    logged(principal, deps.now(), {
      projectId: id,
      action: 'updated',
      target: targetOf(after),
      changes: changesBetween<Project>(['name', 'description', 'weaker_pushes'], before, after),
    }),
  );
  if (updated === undefined) throw notFound('project');
  return updated;
}

export async function deleteProject(deps: Deps, principal: Principal, slug: string): Promise<void> {
  const project = await liveProject(deps, principal, slug);
  const log = logged(principal, deps.now(), madeLog(project, 'deleted'));
  const deleted = await deps.projects.delete({ ...project, updated_at: log.at }, log);
  if (!deleted) throw notFound('project');
}
