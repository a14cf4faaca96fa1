import type { SuiteInForce } from '../../../domain/suites/chains/chains.ts';
import { suiteChain } from '../../../domain/suites/chains/chains.ts';
import type { SuiteReader } from '../../../domain/suites/ports.ts';
import type { StoredSuite } from '../../../domain/suites/stored.ts';
import { readList } from '../../lists/lists.ts';
import { chainStore } from '../../revisions/chains.ts';
import { suiteHeadKey, suiteHeadsOfSlug, suiteList } from '../../table/keys.ts';
import type { Table, Write } from '../../table/table.ts';
import { placeReader } from '../places.ts';
import { readHead } from '../suiteHeads.ts';
import { deletedSuites } from './deletedSuites.ts';

function removeHead(orgId: string, head: { slug: string; projectId: string; suiteId: string }): Write {
  return {
    Delete: {
      Key: suiteHeadKey(orgId, head.slug, head.projectId),
      ConditionExpression: 'suite_id = :id',
      ExpressionAttributeValues: { ':id': head.suiteId },
    },
  };
}

/** For functions that change no suite. */
export function suiteReader(table: Table): SuiteReader {
  const { cases } = chainStore(table);
  const places = placeReader(table);

  /** In the order of the ids, without those that are gone. */
  async function inForce(orgId: string, ids: readonly string[]): Promise<SuiteInForce[]> {
    const livePlaces = (await places(orgId, ids)).filter((place) => place?.project_id !== undefined);
    const keys = livePlaces.flatMap((place) =>
      place === undefined ? [] : [suiteHeadKey(orgId, place.slug, place.project_id ?? '')],
    );
    const items = await table.getMany(keys);
    const heads = items.flatMap((item, index) =>
      item?.suite_id === livePlaces[index]?.id && item ? [readHead(item)] : [],
    );
    const revisions = await cases.revisions(
      heads.map((head) => ({ chain: suiteChain(orgId, head), at: head.position })),
    );
    return heads.flatMap((head, index) => {
      const revision = revisions[index];
      return revision === undefined ? [] : [{ head, revision }];
    });
  }

  const suiteOf = ({ revision }: SuiteInForce): StoredSuite => revision.fields.suite;

  return {
    ...deletedSuites(table),

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

    holding: async (orgId, id) => (await inForce(orgId, [id]))[0],

    async find(orgId, id) {
      const [inForceSuite] = await inForce(orgId, [id]);
      return inForceSuite?.head.suiteId === id ? suiteOf(inForceSuite) : undefined;
    },

    ofProject: async (orgId, projectId) => inForce(orgId, await readList(table, suiteList(orgId, projectId))),

    async page(orgId, projectId, { page, pageSize }) {
      const ids = (await readList(table, suiteList(orgId, projectId))).reverse();
      const start = (page - 1) * pageSize;
      const some = await inForce(orgId, ids.slice(start, start + pageSize));
      return { total: ids.length, items: some.map(suiteOf) };
    },
  };
}
