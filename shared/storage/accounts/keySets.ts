import type { Discovery, IssuerKey, KeySetStore, StoredKeySet } from '../../domain/accounts/ports.ts';
import { keySetKey, TTL } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

/** After the last try. Longer than a set is used. */
const KEPT_SECONDS = 2 * 24 * 3_600;

/** Keys and discovery of an issuer: one item. The function that fetched them writes it for all. */
export function keySetStore(table: Table, issuer: string): KeySetStore {
  const Key = keySetKey(issuer);
  const isTry = { ConditionExpression: 'tried_at = :tried' };
  return {
    async read() {
      const item = await table.get(Key);
      return item && read(item);
    },

    async claim({ atMs, triedBeforeMs, aheadMs }) {
      const { updated, item } = await table.update({
        Key: { ...Key },
        UpdateExpression: `SET tried_at = :at, ${TTL} = :ttl`,
        ConditionExpression: 'attribute_not_exists(tried_at) OR tried_at <= :before OR tried_at > :ahead',
        ExpressionAttributeValues: {
          ':at': atMs,
          ':before': triedBeforeMs,
          ':ahead': aheadMs,
          ':ttl': Math.ceil(atMs / 1_000) + KEPT_SECONDS,
        },
      });
      return updated || item === undefined ? undefined : read(item);
    },

    async keep(triedAtMs, { keys, discovery }) {
      await table.update({
        Key: { ...Key },
        UpdateExpression:
          'SET signing_keys = :keys, discovery = :discovery, fetched_at = :tried, ended_at = :tried',
        ...isTry,
        ExpressionAttributeValues: { ':keys': keys, ':discovery': discovery, ':tried': triedAtMs },
      });
    },

    async fail(triedAtMs) {
      await table.update({
        Key: { ...Key },
        UpdateExpression: 'SET ended_at = :tried',
        ...isTry,
        ExpressionAttributeValues: { ':tried': triedAtMs },
      });
    },
  };
}

const read = (item: Item): StoredKeySet => ({
  keys: (item.signing_keys as readonly IssuerKey[] | undefined) ?? [],
  discovery: item.discovery as Discovery | undefined,
  triedAtMs: Number(item.tried_at),
  fetchedAtMs: item.fetched_at as number | undefined,
  endedAtMs: item.ended_at as number | undefined,
});
