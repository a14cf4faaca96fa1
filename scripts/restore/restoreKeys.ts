import { heldKeyItem, type KeySpace, keyedOf } from '../../shared/storage/lists/heldKeys.ts';
import { idsOf, readList } from '../../shared/storage/lists/lists.ts';
import { chunksOf } from '../../shared/storage/table/batches.ts';
import { heldKeyKey, PK, SK, TTL } from '../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';
import { putBack } from './copy.ts';
import type { ListOf } from './restoreLists.ts';

const ITEMS_AT_ONCE = 100;

export interface RestoredKeys {
  readonly itemsBack: number;
  /** Sentences about resources whose key another one has taken since: that is their id then. */
  readonly left: readonly string[];
}

/** Each of the list has its key, as its item says it. */
export async function restoreKeys(
  to: Table,
  space: KeySpace,
  { list, keyOf }: ListOf,
): Promise<RestoredKeys> {
  let itemsBack = 0;
  const left: string[] = [];
  for (const ids of chunksOf(idsOf(await readList(to, list)), ITEMS_AT_ONCE)) {
    for (const item of await withoutKey(to, space, await to.getMany(ids.map(keyOf)))) {
      const { isBack, there } = await putBack(to, heldKeyItem(space, keyedOf(item)));
      if (isBack) itemsBack++;
      else if (there?.[space.idField] !== item.id) left.push(await dropKey(to, item));
    }
  }
  return { itemsBack, left };
}

/** Those that say they have a key that is not theirs, or only until a purge ends. */
async function withoutKey(
  to: Table,
  { partition, idField }: KeySpace,
  items: readonly (Item | undefined)[],
): Promise<Item[]> {
  const keyed = items.filter((item) => item !== undefined && keyedOf(item).key !== item.id) as Item[];
  const held = await to.getMany(keyed.map((item) => heldKeyKey(partition, keyedOf(item).key)));
  return keyed.filter(
    (item, index) => held[index]?.[idField] !== item.id || held[index]?.[TTL] !== undefined,
  );
}

async function dropKey(to: Table, { [PK]: pk, [SK]: sk, id, key, name }: Item): Promise<string> {
  await to.update({
    Key: { [PK]: pk, [SK]: sk },
    UpdateExpression: 'SET #key = :id ADD version :one',
    ConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': 'key' },
    ExpressionAttributeValues: { ':key': key, ':id': id, ':one': 1 },
  });
  return `"${name}" (${id}) has its id as key: another one has "${key}".`;
}
