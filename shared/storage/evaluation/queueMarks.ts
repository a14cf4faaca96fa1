import { MARK_LOST_AFTER_MS } from '../../domain/evaluation/limits.ts';
import type { QueueMarkStore } from '../../domain/evaluation/sweeping/ports.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { queueMarkKey, TTL } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Longer than a message stays in the queue. */
const KEPT_DAYS = 7;

interface Note {
  readonly set: 'sent_at' | 'passed_at';
  readonly condition: string;
  readonly values?: Record<string, number>;
}

export function queueMarkStore(table: Table): QueueMarkStore {
  const note = (orgId: string, atMs: number, { set, condition, values }: Note) =>
    table.update({
      Key: queueMarkKey(orgId),
      UpdateExpression: `SET ${set} = :at, ${TTL} = :ttl`,
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ':at': atMs,
        ':ttl': seconds(timestamp(atMs + KEPT_DAYS * DAY_MS)),
        ...values,
      },
    });

  return {
    async known(orgIds) {
      const items = await table.getMany(orgIds.map(queueMarkKey));
      const marks = orgIds.map((orgId, index) => [orgId, items[index]] as const);
      return new Map(
        marks.flatMap(([orgId, item]) =>
          item === undefined
            ? []
            : [[orgId, { sentAtMs: Number(item.sent_at ?? 0), passedAtMs: Number(item.passed_at ?? 0) }]],
        ),
      );
    },

    async intend(orgId, atMs) {
      const { updated } = await note(orgId, atMs, {
        set: 'sent_at',
        condition: 'attribute_not_exists(sent_at) OR sent_at <= passed_at OR sent_at <= :lost',
        values: { ':lost': atMs - MARK_LOST_AFTER_MS },
      });
      return updated;
    },

    async pass(orgId, sentAtMs) {
      const condition = 'attribute_not_exists(passed_at) OR passed_at < :at';
      await note(orgId, sentAtMs, { set: 'passed_at', condition });
    },
  };
}
