import * as z from 'zod';
import { timestampSchema } from '../../contracts/base/common.ts';
import { REQUESTS_SETTLED_MS } from '../../domain/limits.ts';
import type { Purge, PurgePosition, PurgeStore } from '../../domain/purge/ports.ts';
import { chunksOf } from '../table/batches.ts';
import { IS_FINAL, type Key, PK, purgeKey, purgesDue, SK, TTL } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { itemsBeside, type Place, placesOf } from './purgedPlaces.ts';

const ITEMS_AT_ONCE = 20;

const positionSchema = z.object({
  fromMs: z.number(),
  at: z.object({ place: z.string(), item: z.string() }).nullable(),
  left: z.boolean(),
});
const purgeSchema = z.object({
  org_id: z.string(),
  kind: z.enum(['project', 'suite', 'texts']),
  id: z.string(),
  gone_at: timestampSchema,
  next_at: z.number(),
  position: positionSchema.nullable(),
});

/** A write of the transaction that leaves items without use, such as a deletion. */
export const purgeDue = (orgId: string, kind: Purge['kind'], id: string, deletedAt: string): Write => ({
  Put: {
    Item: {
      ...purgeKey(orgId, kind, id),
      ...{ org_id: orgId, kind, id, gone_at: deletedAt, position: null },
      next_at: Date.parse(deletedAt) + REQUESTS_SETTLED_MS,
    },
  },
});

export function purgeStore(table: Table): PurgeStore {
  return {
    async due(nowMs) {
      const items = (await table.query(purgesDue))
        .filter(({ chain }) => chain === undefined)
        .map((item) => purgeSchema.parse(item));
      return items
        .filter(({ next_at }) => next_at <= nowMs)
        .toSorted((a, b) => a.next_at - b.next_at)
        .map(({ org_id, kind, id, gone_at, next_at, position }) => ({
          ...{ orgId: org_id, kind, id, deletedAt: gone_at, nextAtMs: next_at, position },
        }));
    },

    expire: (purge, position, { limit, isLast }) => expireStep(table, purge, position, { limit, isLast }),

    async save({ orgId, kind, id, nextAtMs, position }) {
      const { updated } = await table.update({
        Key: purgeKey(orgId, kind, id),
        UpdateExpression: 'SET next_at = :next, #position = :position',
        ConditionExpression: `attribute_exists(${PK})`,
        ExpressionAttributeNames: { '#position': 'position' },
        ExpressionAttributeValues: { ':next': nextAtMs, ':position': position },
      });
      return updated;
    },

    async finish({ orgId, kind, id, deletedAt }) {
      await table.delete(purgeKey(orgId, kind, id), {
        ConditionExpression: 'gone_at = :gone',
        ExpressionAttributeValues: { ':gone': deletedAt },
      });
    },
  };
}

async function expireStep(
  table: Table,
  purge: Purge,
  { fromMs, at, left }: PurgePosition,
  { limit, isLast }: { limit: number; isLast: boolean },
): Promise<PurgePosition> {
  const places = await placesOf(table, purge);
  const open = at === null ? places : places.filter(({ name }) => name >= at.place);
  let room = limit;
  let isLeft = left;
  for (const place of open) {
    // Items through which others are found are kept while another walk follows.
    if (place.isWay && (isLeft || !isLast)) break;
    const from = place.name === at?.place ? `${at.item}!` : place.between[0];
    const items = await table.query(
      { pk: place.pk, between: [from, place.between[1]] },
      { limit: room, slim },
    );
    isLeft ||= items.some((item) => item.status === 'pending');
    await expireAll(table, purge, place, items);
    room -= items.length;
    const last = items.at(-1);
    if (room <= 0 && last !== undefined)
      return { fromMs, at: { place: place.name, item: String(last[SK]) }, left: isLeft };
  }
  return { fromMs, at: null, left: isLeft };
}

/** Few at once: dictionaries and cases are large. */
const slim = ({
  [PK]: pk,
  [SK]: sk,
  [TTL]: ttl,
  [IS_FINAL]: isFinal,
  status,
  slug,
  project_id,
}: Item): Item => ({
  ...{ [PK]: pk, [SK]: sk, [TTL]: ttl, [IS_FINAL]: isFinal, status, slug, project_id },
});

async function expireAll(table: Table, purge: Purge, place: Place, items: readonly Item[]): Promise<void> {
  const { until, isFinal } = place;
  const isLater = (item: Item) => typeof item[TTL] !== 'number' || item[TTL] > until;
  if (isFinal) await markFinal(table, items);
  for (const some of chunksOf(items.filter(isLater), ITEMS_AT_ONCE)) {
    await Promise.all(
      some.map(async (item) => {
        // The item last: an item with a time to live is skipped by a repeated step.
        for (const key of itemsBeside(purge.orgId, place.suiteId, item)) await expire(table, key, until);
        await expire(table, { pk: String(item[PK]), sk: String(item[SK]) }, until);
      }),
    );
  }
}

async function markFinal(table: Table, items: readonly Item[]): Promise<void> {
  const unmarked = items.filter((item) => item[IS_FINAL] !== true);
  const mark = (item: Item) =>
    table.update({
      Key: { pk: String(item[PK]), sk: String(item[SK]) },
      UpdateExpression: `SET ${IS_FINAL} = :true`,
      ConditionExpression: `attribute_exists(${PK})`,
      ExpressionAttributeValues: { ':true': true },
    });
  for (const some of chunksOf(unmarked, ITEMS_AT_ONCE)) await Promise.all(some.map(mark));
}

const expire = (table: Table, key: Key, until: number) =>
  table.update({
    Key: key,
    UpdateExpression: `SET ${TTL} = :until`,
    ConditionExpression: `attribute_exists(${PK}) AND (attribute_not_exists(${TTL}) OR ${TTL} > :until)`,
    ExpressionAttributeValues: { ':until': until },
  });
