import { type Project, projectSchema } from '../../contracts/projects.ts';
import type { LoggedChange } from '../../domain/changes/log.ts';
import { LIMIT } from '../../domain/limits.ts';
import { projectChain } from '../../domain/suites/chains/chains.ts';
import type { ProjectStore } from '../../domain/suites/ports.ts';
import { revokeAllOfProject } from '../accounts/byokKeys.ts';
import { logWrite } from '../lists/changeLog.ts';
import { createListed } from '../lists/listMembers.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { putNew, softDelete } from '../table/documents.ts';
import { type Key, projectHeadKey, projectKey, projectList } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { deleteHeaded } from './deleteHeaded.ts';
import { putPlace } from './places.ts';
import { projectReader } from './readers/projectReader.ts';

async function createProject(
  table: Table,
  project: Project,
  log: LoggedChange,
): ReturnType<ProjectStore['create']> {
  const { id, org_id: orgId, slug } = project;
  return createListed(table, {
    id,
    list: projectList(orgId),
    limit: LIMIT.projects,
    writes: {
      head: putNew(projectHeadKey(orgId, slug), { id, slug, n: 0, token: '' }),
      document: putNew(projectKey(orgId, id), { ...project, version: 1 }),
      place: putPlace(orgId, { id, slug }),
      log: logWrite(orgId, log),
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
  logWriteOf: (before: Project, after: Project) => Write,
): Promise<Project | undefined> {
  const { updated } = await retryOnConflict(async () => {
    const item = await table.get(key);
    const before = item && projectSchema.parse(item);
    const updated = before && change(before);
    if (item === undefined || before === undefined || updated === undefined || updated === before)
      return { updated };
    const version = Number(item.version);
    const Put = {
      Item: { ...key, ...updated, version: version + 1 },
      ConditionExpression: 'version = :version AND attribute_not_exists(deleted_at)',
      ExpressionAttributeValues: { ':version': version },
    };
    const log = logWriteOf(before, updated);
    return (await table.transact({ project: { Put }, log })).committed ? { updated } : undefined;
  }, table.backoff);
  return updated;
}

async function deleteProject(table: Table, project: Project, log: LoggedChange): Promise<boolean> {
  const { id, org_id: orgId, updated_at: deletedAt } = project;
  const logged = logWrite(orgId, log);
  const deleted = await deleteHeaded(table, projectChain(orgId, project), {
    deletedAt,
    list: projectList(orgId),
    writes: async () => ({
      document: softDelete(projectKey(orgId, id), deletedAt),
      log: logged,
      ...(await revokeAllOfProject(table, { orgId, projectId: id }, deletedAt)),
    }),
  });
  return deleted === 'deleted';
}

export const projectStore = (table: Table): ProjectStore => ({
  ...projectReader(table),

  create: (project, log) => createProject(table, project, log),

  update: (orgId, id, change, log) =>
    updateProject(table, projectKey(orgId, id), change, (before, after) =>
      logWrite(orgId, log(before, after)),
    ),

  delete: (project, log) => deleteProject(table, project, log),
});
