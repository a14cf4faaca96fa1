import type { SuiteReader } from '../../../domain/suites/ports.ts';
import { readPage } from '../../lists/pages.ts';
import { suiteHeadKey, suiteHeadsOfSlug, suiteKey, suiteList } from '../../table/keys.ts';
import { throughPush } from '../../table/pushes/throughPush.ts';
import type { Table, Write } from '../../table/table.ts';
import { keepCounts } from '../suiteCounts.ts';
import { readHead } from '../suiteHeads.ts';
import { readSuite, suiteFinder } from '../suiteOfRun.ts';
import { loadSuite } from '../suiteToRun.ts';

export function removeHead(orgId: string, head: { slug: string; projectId: string; suiteId: string }): Write {
  return {
    Delete: {
      Key: suiteHeadKey(orgId, head.slug, head.projectId),
      ConditionExpression: 'suite_id = :id',
      ExpressionAttributeValues: { ':id': head.suiteId },
    },
  };
}

/** For functions that change no suite. */
export const suiteReader = (table: Table): SuiteReader => ({
  async headsOfSlug(orgId, slug) {
    return (await table.query(suiteHeadsOfSlug(orgId, slug))).map(readHead);
  },

  async head(orgId, slug, projectId) {
    const item = await table.get(suiteHeadKey(orgId, slug, projectId));
    return item && readHead(item);
  },

  async removeHead(orgId, head) {
    await table.transact({ head: removeHead(orgId, head) });
  },

  ...suiteFinder(table),

  page: (orgId, projectId, query) =>
    readPage(table, {
      list: suiteList(orgId, projectId),
      query,
      keyOf: (id) => suiteKey(orgId, id),
      read: readSuite,
    }),

  async load(orgId, suiteId, head) {
    const isPushed = head?.isPushUnderWay === true;
    const seen = isPushed ? await throughPush(table, suiteHeadKey(orgId, head.slug, head.projectId)) : table;
    return loadSuite(seen, orgId, suiteId);
  },

  keepCounts: (orgId, { head, project }, counts) =>
    keepCounts(table, orgId, head, { ...counts, judgesRevision: project.judgesRevision }),
});
