import { type Project, projectSchema } from '../../contracts/projects.ts';
import { LIMIT } from '../../domain/limits.ts';
import { projectChain } from '../../domain/suites/chains/chains.ts';
import type { ProjectStore } from '../../domain/suites/ports.ts';
import { createListed } from '../lists/listMembers.ts';
import { putNew, replaceDocument, softDelete } from '../table/documents.ts';
import { projectHeadKey, projectKey, projectList } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deleteHeaded } from './deleteHeaded.ts';
import { putPlace } from './places.ts';
import { projectReader } from './readers/projectReader.ts';

async function createProject(table: Table, project: Project): ReturnType<ProjectStore['create']> {
  const { id, org_id: orgId, slug } = project;
  return createListed(table, {
    id,
    list: projectList(orgId),
    limit: LIMIT.projects,
    writes: {
      head: putNew(projectHeadKey(orgId, slug), { id, slug, n: 0, token: '' }),
      document: putNew(projectKey(orgId, id), { ...project, version: 1 }),
      place: putPlace(orgId, { id, slug }),
    },
    explain: (failed) => {
      if (failed.has('head')) return failed.get('head')?.id === id ? 'created' : 'slug_taken';
      return failed.has('place') ? 'id_taken' : undefined;
    },
  });
}

async function deleteProject(table: Table, project: Project): Promise<boolean> {
  const { id, org_id: orgId, updated_at: deletedAt } = project;
  const deleted = await deleteHeaded(table, projectChain(orgId, project), {
    ...{ deletedAt, list: projectList(orgId) },
    writes: { document: softDelete(projectKey(orgId, id), deletedAt) },
  });
  return deleted === 'deleted';
}

export const projectStore = (table: Table): ProjectStore => ({
  ...projectReader(table),

  create: (project) => createProject(table, project),

  update: (orgId, id, change) =>
    replaceDocument<Project>(table, {
      key: projectKey(orgId, id),
      read: (item) => projectSchema.parse(item),
      write: (project) => project,
      change,
    }),

  delete: (project) => deleteProject(table, project),
});
