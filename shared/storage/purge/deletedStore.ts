import type { DeletedPurge, DeletedStore } from '../../domain/purge/ports.ts';
import { placeName } from '../../domain/revisions/ids.ts';
import { readList } from '../lists/lists.ts';
import {
  deletedSuitesFrom,
  PK,
  placeKey,
  projectPartition,
  purgeKey,
  suiteHeadKey,
  suiteList,
  suitePartition,
  textsOfChain,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { dropKeys, dropRange, everythingIn } from './drop.ts';

type HasTime = () => boolean;

export const deletedStore = (table: Table): DeletedStore => ({
  async isAlive(purge) {
    const [due] = await table.getMany([dueKey(purge)]);
    const { pk, sk } = (due?.head ?? {}) as { pk?: string; sk?: string };
    if (pk === undefined || sk === undefined) return false;
    const head = await table.get({ pk, sk });
    return head?.[purge.kind === 'suite' ? 'suite_id' : 'id'] === purge.id;
  },

  dropTexts: ({ kind, orgId, id }, hasTime) => {
    const partition = kind === 'suite' ? suitePartition(orgId, id) : projectPartition(orgId, id);
    return dropRange(table, textsOfChain(partition), { hasTime });
  },

  dropAll: ({ kind, orgId, id }, hasTime) =>
    (kind === 'project' ? dropProject : dropSuite)(table, orgId, id, hasTime),

  async save({ nextAtMs, ...purge }) {
    await table.update({
      Key: dueKey(purge),
      UpdateExpression: 'SET next_at = :next',
      ConditionExpression: `attribute_exists(${PK})`,
      ExpressionAttributeValues: { ':next': nextAtMs },
    });
  },

  async finish(purge) {
    await table.delete(dueKey(purge), {
      ConditionExpression: 'gone_at = :gone',
      ExpressionAttributeValues: { ':gone': purge.deletedAt },
    });
  },
});

const dueKey = ({ orgId, kind, id }: Pick<DeletedPurge, 'orgId' | 'kind' | 'id'>) =>
  purgeKey(orgId, kind, id);

/** What it is found by comes last. */
async function dropSuite(table: Table, orgId: string, id: string, hasTime: HasTime): Promise<boolean> {
  if (!(await dropRange(table, everythingIn(suitePartition(orgId, id)), { hasTime }))) return false;
  const placed = placeKey(orgId, placeName(id));
  const place = await table.get(placed);
  const isOwn = place?.id === id;
  if (isOwn)
    await table.delete(suiteHeadKey(orgId, String(place.slug), String(place.project_id)), {
      ConditionExpression: 'suite_id = :id',
      ExpressionAttributeValues: { ':id': id },
    });
  if (isOwn) await dropKeys(table, [placed]);
  return true;
}

/** With its suites, also those that were deleted before. */
async function dropProject(table: Table, orgId: string, id: string, hasTime: HasTime): Promise<boolean> {
  const [listed, deleted] = await Promise.all([
    readList(table, suiteList(orgId, id)),
    table.query(deletedSuitesFrom(orgId)),
  ]);
  const before = deleted.filter(({ head }) => (head as Item).project_id === id);
  const suiteIds = new Set([...listed, ...before.map((item) => String(item.id))]);
  for (const suiteId of suiteIds) {
    if (!(await dropSuite(table, orgId, suiteId, hasTime))) return false;
    await dropKeys(table, [purgeKey(orgId, 'suite', suiteId)]);
  }
  if (!(await dropRange(table, everythingIn(projectPartition(orgId, id)), { hasTime }))) return false;
  const placed = placeKey(orgId, placeName(id));
  if ((await table.get(placed))?.id === id) await dropKeys(table, [placed]);
  return true;
}
