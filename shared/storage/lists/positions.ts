import type { PositionStore } from '../../domain/shards/ports.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { positionKey, TTL } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export function positionStore(table: Table, now: () => number): PositionStore {
  return {
    async at(walk) {
      const position = (await table.get(positionKey(walk)))?.position;
      return typeof position === 'string' ? position : null;
    },

    async save(walk, position) {
      await table.update({
        Key: positionKey(walk),
        UpdateExpression: `SET #position = :position, ${TTL} = :ttl`,
        ExpressionAttributeNames: { '#position': 'position' },
        ExpressionAttributeValues: { ':position': position, ':ttl': seconds(timestamp(now() + DAY_MS)) },
      });
    },
  };
}
