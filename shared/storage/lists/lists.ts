import { uuidBytes, uuidOf } from '../table/documents.ts';
import type { Key } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';

/**
 * The ordered list of a parent's children: their ids, 16 bytes each, in one item of 18 kB at most. So every page costs
 * the same, and the total is exact. It changes in the transaction that changes the children.
 */
export async function readList(table: Table, list: Key): Promise<string[]> {
  const ids = ((await table.get(list))?.ids ?? []) as Uint8Array[];
  return ids.map((bytes) => uuidOf(Buffer.from(bytes).toString('hex')));
}

/** Fails its condition where the list is full. */
export const appendToList = (list: Key, id: string, limit: number): Write => ({
  Update: {
    Key: list,
    UpdateExpression: 'SET ids = list_append(if_not_exists(ids, :none), :new)',
    ConditionExpression: 'attribute_not_exists(ids) OR size(ids) < :limit',
    ExpressionAttributeValues: { ':none': [], ':new': [uuidBytes(id)], ':limit': limit },
  },
});

/** Undefined when the id is not in the list. Fails its condition when it has moved since the list was read. */
export function removeFromList(list: Key, ids: readonly string[], id: string): Write | undefined {
  const index = ids.indexOf(id);
  if (index < 0) return undefined;
  return {
    Update: {
      Key: list,
      UpdateExpression: `REMOVE ids[${index}]`,
      ConditionExpression: `ids[${index}] = :id`,
      ExpressionAttributeValues: { ':id': uuidBytes(id) },
    },
  };
}
