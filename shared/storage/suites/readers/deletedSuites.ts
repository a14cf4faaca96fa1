import * as z from 'zod';
import { credentialSchema } from '../../../contracts/base/credentials.ts';
import type { DeletedSuite, SuiteReader } from '../../../domain/suites/ports.ts';
import { deletedSuitesFrom, purgeKey } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { readHead } from '../suiteHeads.ts';

const deletedSchema = z.object({
  head: z.record(z.string(), z.unknown()),
  gone_at: z.string(),
  by: credentialSchema,
  scorers: z.object({ n: z.number(), token: z.string() }),
});

function deletedIn(item: Item): DeletedSuite {
  const { head, gone_at: at, ...rest } = deletedSchema.parse(item);
  return { head: readHead(head), at, ...rest };
}

/** What is to be purged says which suites there were. */
export const deletedSuites = (table: Table): Pick<SuiteReader, 'deleted' | 'deletedUnder'> => ({
  async deleted(orgId, suiteId) {
    const item = await table.get(purgeKey(orgId, 'suite', suiteId));
    return item && deletedIn(item);
  },

  async deletedUnder(orgId, { slug, projectId }) {
    const all = (await table.query(deletedSuitesFrom(orgId))).map(deletedIn);
    return all
      .filter(({ head }) => head.slug === slug && head.projectId === projectId)
      .toSorted((a, b) => (a.at < b.at ? 1 : -1));
  },
});
