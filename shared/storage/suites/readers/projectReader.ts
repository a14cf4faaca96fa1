import * as z from 'zod';
import { projectSchema } from '../../../contracts/projects.ts';
import type { ProjectReader } from '../../../domain/suites/ports.ts';
import { readPage } from '../../lists/pages.ts';
import { projectHeadKey, projectKey, projectList } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { judgesRevisionOf } from '../suiteCounts.ts';

const headItemSchema = z.object({ id: z.string(), slug: z.string(), scorers_revision: z.number() });

/** For functions that change no project. */
export const projectReader = (table: Table): ProjectReader => ({
  async head(orgId, slug) {
    const item = await table.get(projectHeadKey(orgId, slug));
    if (item === undefined) return undefined;
    const head = headItemSchema.parse(item);
    return {
      id: head.id,
      slug: head.slug,
      position: { n: Number(item.n), token: String(item.token) },
      scorersRevision: head.scorers_revision,
      judgesRevision: judgesRevisionOf(item),
    };
  },

  async find(orgId, id) {
    const item = await table.get(projectKey(orgId, id));
    return item && projectSchema.parse(item);
  },

  page: (orgId, query) =>
    readPage(table, {
      list: projectList(orgId),
      query,
      keyOf: (id) => projectKey(orgId, id),
      read: (item) => projectSchema.parse(item),
    }),
});
