import { uuidBytes, uuidOf } from '../table/documents.ts';
import { type ListAddress, listBlockKey, SK } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

/**
 * The ordered list of a parent's children: their ids, 16 bytes each, in blocks of up to 200. It is read whole, one
 * request unit for 220 children, so that every page costs the same and the total is exact. It changes in the
 * transaction that changes the children.
 */
const BLOCK_SIZE = 200;

export interface ListBlock {
  readonly number: number;
  readonly ids: readonly string[];
}

const toId = (bytes: Uint8Array): string => uuidOf(Buffer.from(bytes).toString('hex'));

export async function readList(table: Table, list: ListAddress): Promise<ListBlock[]> {
  const items = await table.query(list);
  return items.map((item) => ({
    number: Number(String(item[SK]).slice(list.prefix.length)),
    ids: (item.ids as Uint8Array[]).map(toId),
  }));
}

export const idsOf = (blocks: readonly ListBlock[]): string[] => blocks.flatMap((block) => block.ids);

/** Fails its condition when another writer filled or moved the block first. The caller then reads again. */
export function appendToList(
  list: ListAddress,
  blocks: readonly ListBlock[],
  ids: readonly string[],
  limit: number,
): Write {
  const last = blocks.at(-1);
  const fits = last !== undefined && last.ids.length + ids.length <= BLOCK_SIZE;
  const block = fits ? last : { number: (last?.number ?? 0) + 1, ids: [] };
  const elsewhere = idsOf(blocks).length - block.ids.length;
  return {
    Update: {
      Key: listBlockKey(list, block.number),
      UpdateExpression: 'SET ids = list_append(if_not_exists(ids, :none), :new)',
      ConditionExpression: `${block.ids.length === 0 ? 'attribute_not_exists(ids) OR ' : ''}size(ids) <= :room`,
      ExpressionAttributeValues: {
        ':none': [],
        ':new': ids.map(uuidBytes),
        ':room': Math.min(BLOCK_SIZE, limit - elsewhere) - ids.length,
      },
    },
  };
}

/**
 * Undefined when the id is not in the list. Fails its conditions when a block changed since it was read. A block
 * that fits into a neighbour is merged, so that one transaction can hold all blocks: two neighbours always have
 * more than 200 ids together, at most 99 blocks for 10,000.
 */
export function removeFromList(
  list: ListAddress,
  blocks: readonly ListBlock[],
  id: string,
): Record<string, Write> | undefined {
  const at = blocks.findIndex((candidate) => candidate.ids.includes(id));
  const block = blocks[at];
  if (block === undefined) return undefined;
  if (block.ids.length === 1) return { list: deleteBlock(list, block) };
  const pairs = [blocks.slice(Math.max(0, at - 1), at + 1), blocks.slice(at, at + 2)];
  const pair = pairs.find((both) => both.length === 2 && idsOf(both).length - 1 <= BLOCK_SIZE);
  if (pair !== undefined) return mergeBlocks(list, pair, id);
  const index = block.ids.indexOf(id);
  const update = {
    Key: listBlockKey(list, block.number),
    UpdateExpression: `REMOVE ids[${index}]`,
    ConditionExpression: `ids[${index}] = :id`,
    ExpressionAttributeValues: { ':id': uuidBytes(id) },
  };
  return { list: { Update: update } };
}

const unchanged = (block: ListBlock) => ({
  ConditionExpression: 'ids = :before',
  ExpressionAttributeValues: { ':before': block.ids.map(uuidBytes) },
});

const deleteBlock = (list: ListAddress, block: ListBlock): Write => ({
  Delete: { Key: listBlockKey(list, block.number), ...unchanged(block) },
});

function mergeBlocks(list: ListAddress, pair: readonly ListBlock[], removed: string): Record<string, Write> {
  const [first, second] = pair;
  if (first === undefined || second === undefined) throw new Error('Two blocks are merged');
  const ids = idsOf(pair).filter((id) => id !== removed);
  const item: Item = { ...listBlockKey(list, first.number), ids: ids.map(uuidBytes) };
  return { list: { Put: { Item: item, ...unchanged(first) } }, listBeside: deleteBlock(list, second) };
}
