import { heldKeyKey, PK, projectPartition, suitePartition } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

/** Where keys are unique: an item for each says which resource has it. */
export interface KeySpace {
  readonly partition: string;
  readonly idField: 'case_id' | 'scorer_id';
}

interface Keyed {
  readonly id: string;
  readonly key: string;
}

export const keyedOf = ({ id, key }: Item): Keyed => ({ id: String(id), key: String(key) });

export const keysOfSuite = (orgId: string, suiteId: string): KeySpace => ({
  partition: suitePartition(orgId, suiteId),
  idField: 'case_id',
});
export const keysOfProject = (orgId: string, projectId: string): KeySpace => ({
  partition: projectPartition(orgId, projectId),
  idField: 'scorer_id',
});

/** The key of a restored resource is its id where another one has its key. No other can have that, so no item says so. */
export const isHeld = ({ id, key }: Keyed): boolean => key !== id;

/** Holds also where the item is of this resource already, written by a request whose answer got lost. */
const isOwnOrFree = ({ idField }: KeySpace, { id }: Keyed) => ({
  ConditionExpression: `attribute_not_exists(${PK}) OR ${idField} = :id`,
  ExpressionAttributeValues: { ':id': id },
});

export const heldKeyItem = ({ partition, idField }: KeySpace, { id, key }: Keyed): Item => ({
  ...heldKeyKey(partition, key),
  [idField]: id,
});

/** Fails its condition when another one has the key. */
export function takeKey(space: KeySpace, keyed: Keyed): Record<string, Write> {
  if (!isHeld(keyed)) return {};
  return { [`key ${keyed.id}`]: { Put: { Item: heldKeyItem(space, keyed), ...isOwnOrFree(space, keyed) } } };
}

/** In the transaction that deletes or changes the resource as it was read. */
export function freeKey(space: KeySpace, keyed: Keyed): Record<string, Write> {
  if (!isHeld(keyed)) return {};
  const Key = heldKeyKey(space.partition, keyed.key);
  return { [`freed ${keyed.id}`]: { Delete: { Key, ...isOwnOrFree(space, keyed) } } };
}

export const moveKey = (space: KeySpace, before: Keyed, after: Keyed): Record<string, Write> =>
  before.key === after.key ? {} : { ...takeKey(space, after), ...freeKey(space, before) };

/** Whether a transaction failed because another resource has a key that it was to take. */
export const meetsTakenKey = (failed: ReadonlyMap<string, Item | undefined>): boolean =>
  [...failed.keys()].some((name) => name.startsWith('key '));

/** Whether the write failed because another request has changed the resource's key since it was read. */
export const isFreedKey = (name: string): boolean => name.startsWith('freed ');

/** Those of the keys that a resource has. */
export async function takenKeys(
  table: Table,
  { partition }: KeySpace,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const items = await table.getMany(keys.map((key) => heldKeyKey(partition, key)));
  return new Set(keys.filter((_, index) => items[index] !== undefined));
}
