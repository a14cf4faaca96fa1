import { type Project, projectSchema } from '../../contracts/projects.ts';
import { LIMIT } from '../../domain/limits.ts';
import type { Created } from '../../domain/ports.ts';
import type { ProjectStore } from '../../domain/suites/ports.ts';
import { createListed, deleteListed, explainHead } from '../lists/listMembers.ts';
import { purgeDue } from '../purge/purges.ts';
import { putNew, replaceDocument, softDelete } from '../table/documents.ts';
import { projectHeadKey, projectKey, projectList } from '../table/keys.ts';
import { afterPushes } from '../table/pushes/afterPushes.ts';
import { NO_PUSH } from '../table/pushes/underWay.ts';
import type { Table, Write } from '../table/table.ts';
import { projectReader } from './readers/projectReader.ts';

/** `keepsJudges`: no case is judged that was not, and the reverse. Fails its condition when the project is gone, or a push is under way in it. */
export function bumpScorersRevision(
  orgId: string,
  project: { id: string; slug: string },
  { keepsJudges }: { readonly keepsJudges: boolean },
): Write {
  return {
    Update: {
      Key: projectHeadKey(orgId, project.slug),
      // Writers that know nothing of judges change them for all that is known.
      UpdateExpression: `ADD scorers_revision :one${keepsJudges ? ', judges_kept :one' : ''}`,
      ConditionExpression: `id = :id AND ${NO_PUSH}`,
      ExpressionAttributeValues: { ':one': 1, ':id': project.id },
    },
  };
}

async function createProject(table: Table, project: Project): Promise<Created> {
  const { id, org_id: orgId, slug } = project;
  return createListed(table, {
    id,
    list: projectList(orgId),
    limit: LIMIT.projects,
    writes: {
      head: putNew(projectHeadKey(orgId, slug), { id, slug, scorers_revision: 0 }),
      document: putNew(projectKey(orgId, id), { ...project, version: 1 }),
    },
    explain: explainHead(id, 'id'),
  });
}

async function deleteProject(table: Table, project: Project): Promise<boolean> {
  const { id, org_id: orgId, slug, updated_at: deletedAt } = project;
  const head: Write = {
    Delete: {
      Key: projectHeadKey(orgId, slug),
      ConditionExpression: `id = :id AND ${NO_PUSH}`,
      ExpressionAttributeValues: { ':id': id },
    },
  };
  const document = softDelete(projectKey(orgId, id), deletedAt);
  const purge = purgeDue(orgId, 'project', id, deletedAt);
  return deleteListed(table, { id, list: projectList(orgId), writes: { head, document, purge } });
}

export function projectStore(any: Table): ProjectStore {
  const table = afterPushes(any);
  return {
    ...projectReader(any),

    create: (project) => createProject(table, project),

    update: (orgId, id, change) =>
      replaceDocument<Project>(table, {
        key: projectKey(orgId, id),
        read: (item) => projectSchema.parse(item),
        write: (project) => project,
        change,
      }),

    delete: (project) => deleteProject(table, project),
  };
}
