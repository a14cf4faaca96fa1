import type { Attempt, KeptRevision, TextsPurge, TextsStore } from '../../domain/purge/ports.ts';
import type { Block } from '../../domain/revisions/blocks.ts';
import { firstToken, placeName } from '../../domain/revisions/ids.ts';
import type { Chain, Position } from '../../domain/revisions/ports.ts';
import { packTexts, unpackRevision, unpackTexts } from '../revisions/packing.ts';
import { keysOf, positionIn } from '../revisions/revisions.ts';
import {
  blockNameOf,
  blocksBetween,
  PK,
  placeKey,
  purgeKey,
  revisionKey,
  revisionsFrom,
  textsKey,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { dropKeys, dropRange, everythingIn } from './drop.ts';

const revisionIn = (item: Item): KeptRevision => unpackRevision<unknown>(item.bytes as Uint8Array).value;

/** What is read of a revision whose blocks may be many. */
function attemptIn(item: Item): Item & Attempt {
  const { n, token, previous, blocks } = revisionIn(item);
  const names = blocks.flatMap(({ rows, texts }) => [rows, texts]);
  return { n, token, previous, names: [...new Set(names)].filter((name) => name.startsWith(`${token}.`)) };
}

const partKeys = (chain: Chain, { texts, parts }: Block) =>
  Array.from({ length: parts }, (_, part) => textsKey(keysOf(chain).partition, texts, part));

/** It reads and writes the table itself: what functions know must not come back, nor what a purge drops. */
export const textsStore = (table: Table): TextsStore => ({
  position: (chain) => positionIn(table, chain),

  async isPlaced({ orgId, id }) {
    return (await table.get(placeKey(orgId, placeName(id))))?.id === id;
  },

  async attempts(chain, from) {
    const range = revisionsFrom(keysOf(chain).partition, from);
    return (await table.query(range, { slim: attemptIn })) as (Item & Attempt)[];
  },

  async revision(chain, { n, token }) {
    const item = await table.get(revisionKey(keysOf(chain).partition, n, token));
    return item && revisionIn(item);
  },

  async revisions(chain, from, limit) {
    const items = await table.query(revisionsFrom(keysOf(chain).partition, from), { limit });
    return items.map(revisionIn);
  },

  dropRevisions: (chain, revisions) =>
    dropKeys(
      table,
      revisions.map(({ n, token }: Position) => revisionKey(keysOf(chain).partition, n, token)),
    ),

  async dropBlocks(chain, { fromMs, toMs }, isLost) {
    const between = { from: firstToken(fromMs), to: firstToken(toMs) };
    for (const kind of ['ROWS', 'TEXTS', 'BASELINE', 'BASELINECASES'] as const) {
      const range = blocksBetween(keysOf(chain).partition, kind, between);
      await dropRange(table, range, { isLost: (sk) => isLost(blockNameOf(sk)) });
    }
  },

  dropTexts: (chain, blocks) =>
    dropKeys(
      table,
      blocks.flatMap((block) => partKeys(chain, block)),
    ),

  erase: (chain, block, numbers) => eraseIn(table, chain, block, numbers),

  async dropAll(chain) {
    await dropRange(table, everythingIn(keysOf(chain).partition));
  },

  async save({ chain, position, nextAtMs }) {
    await table.update({
      Key: purgeKey(chain.orgId, 'texts', chain.id),
      UpdateExpression: 'SET next_at = :next, #position = :position',
      ConditionExpression: `attribute_exists(${PK})`,
      ExpressionAttributeNames: { '#position': 'position' },
      ExpressionAttributeValues: { ':next': nextAtMs, ':position': position },
    });
  },

  async finish({ chain, announcedAtMs }: TextsPurge) {
    await table.delete(purgeKey(chain.orgId, 'texts', chain.id), {
      ConditionExpression: 'announced_at = :announced',
      ExpressionAttributeValues: { ':announced': announcedAtMs },
    });
  },
});

/** What a purge that died has begun to drop is dropped. */
async function eraseIn(
  table: Table,
  chain: Chain,
  block: Block,
  numbers: ReadonlySet<number>,
): Promise<void> {
  const keys = partKeys(chain, block);
  const parts = (await table.getMany(keys)).filter((item) => item !== undefined);
  if (parts.length === 0) return;
  const kept = parts.length < keys.length ? new Map<number, object>() : textsWithout(parts, numbers);
  if (kept === undefined) return;
  // Only the texts of one member are so large that they lie in several items.
  const [only, ...otherKeys] = keys;
  if (kept.size === 0 || only === undefined) return dropKeys(table, keys);
  if (otherKeys.length > 0) throw new Error(`The texts of several members are in ${keys.length} items`);
  await table.update({
    Key: only,
    UpdateExpression: 'SET bytes = :bytes',
    ConditionExpression: `attribute_exists(${PK})`,
    ExpressionAttributeValues: { ':bytes': packTexts(kept) },
  });
}

/** Undefined where they have none of the members. */
function textsWithout(
  parts: readonly Item[],
  numbers: ReadonlySet<number>,
): ReadonlyMap<number, object> | undefined {
  const packed = Buffer.concat(parts.map(({ bytes }) => bytes as Uint8Array));
  const { value: texts } = unpackTexts<object>(packed);
  const kept = [...texts].filter(([number]) => !numbers.has(number));
  return kept.length === texts.size ? undefined : new Map(kept);
}
