import { type Project, projectSchema } from '../../contracts/projects.ts';
import { LIMIT } from '../../domain/limits.ts';
import { projectChain } from '../../domain/suites/chains/chains.ts';
import type { ProjectStore } from '../../domain/suites/ports.ts';
import { createListed } from '../lists/listMembers.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { putNew, softDelete } from '../table/documents.ts';
import { type Key, projectHeadKey, projectKey, projectList } from '../table/keys.ts';
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

/** Repeated when another writer came first. Undefined when it is gone. */
async function updateProject(
  table: Table,
  key: Key,
  change: (project: Project) => Project,
): Promise<Project | undefined> {
  const { updated } = await retryOnConflict(async () => {
    const item = await table.get(key);
    const before = item && projectSchema.parse(item);
    const updated = before && change(before);
    if (item === undefined || updated === before) return { updated };
    const version = Number(item.version);
    const Put = {
      Item: { ...key, ...updated, version: version + 1 },
      ConditionExpression: 'version = :version AND attribute_not_exists(deleted_at)',
      ExpressionAttributeValues: { ':version': version },
    };
    return (await table.transact({ project: { Put } })).committed ? { updated } : undefined;
  }, table.backoff);
  return updated;
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

  update: (orgId, id, change) => updateProject(table, projectKey(orgId, id), change),

  delete: (project) => deleteProject(table, project),
});
