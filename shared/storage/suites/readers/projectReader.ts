import * as z from 'zod';
import { projectSchema } from '../../../contracts/projects.ts';
import type { ProjectReader } from '../../../domain/suites/ports.ts';
import type { ProjectHead } from '../../../domain/suites/stored.ts';
import { readPage } from '../../lists/pages.ts';
import { projectHeadKey, projectKey, projectList } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { placeReader } from '../places.ts';

const headItemSchema = z.object({ id: z.string(), slug: z.string(), n: z.number(), token: z.string() });

function readHead(item: Item): ProjectHead {
  const { id, slug, n, token } = headItemSchema.parse(item);
  return { id, slug, position: { n, token } };
}

/** For functions that change no project. */
export function projectReader(table: Table): ProjectReader {
  const places = placeReader(table);
  return {
    async head(orgId, slug) {
      const item = await table.get(projectHeadKey(orgId, slug));
      return item && readHead(item);
    },

    async holding(orgId, id) {
      const [place] = await places(orgId, [id]);
      const item = place && (await table.get(projectHeadKey(orgId, place.slug)));
      return item?.id === place?.id && item ? readHead(item) : undefined;
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
  };
}
