import type { EvaluationStore } from '../../domain/evaluation/ports.ts';
import { placeOfRun } from '../../domain/runs/ids.ts';
import { giveCasesBack, openCasesIn } from '../runs/openCases.ts';
import { runKeyOf } from '../table/evaluationKeys.ts';
import { PENDING_SHARDS, PK, pendingKey, pendingShard, runKey, SK, slotsOfAll, TTL } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

type PendingRuns = Pick<EvaluationStore, 'pendingPage' | 'unlist' | 'usesSlots' | 'countReminder'>;

export const ALL_PENDING_SHARDS = Array.from({ length: PENDING_SHARDS }, (_, shard) => shard);

export function pendingRuns(table: Table, now: () => number): PendingRuns {
  return {
    async pendingPage(shard, { createdBefore, after, limit }) {
      // No key is the beginning of another: a key with `!` appended is the first place after it.
      const from = after === null ? '0' : `${after}!`;
      if (from > createdBefore) return { items: [], last: null };
      const items = await table.query({ ...pendingShard(shard), between: [from, createdBefore] }, { limit });
      const last = items.length < limit ? undefined : items.at(-1);
      return {
        items: items.map((item) => {
          const [createdAt = '', runId = ''] = String(item[SK]).split('#');
          return { orgId: String(item.org_id), runId, createdAt };
        }),
        last: last === undefined ? null : String(last[SK]),
      };
    },

    async unlist({ orgId, runId, createdAt }) {
      const key = pendingKey(createdAt, runId);
      const [place, item] = [placeOfRun(runId), await table.get(key)];
      if (item === undefined || place === undefined) return;
      const gone = `attribute_not_exists(${PK}) OR ${TTL} <= :now`;
      const nowSeconds = { ':now': Math.floor(now() / 1_000) };
      await table.transact<string>({
        pending: { Delete: { Key: key, ConditionExpression: `attribute_exists(${PK})` } },
        // An expired run that the engine has not dropped yet must not be ended by a late evaluator, too.
        run: {
          Delete: {
            Key: runKey(orgId, place.suiteId, place.number),
            ConditionExpression: gone,
            ExpressionAttributeValues: nowSeconds,
          },
        },
        ...giveCasesBack(orgId, openCasesIn(item)),
      });
    },

    async usesSlots(orgId) {
      const slots = await table.query(slotsOfAll(orgId));
      return slots.some(({ leased_until }) => Number(leased_until) > now());
    },

    async countReminder(evaluation, reminders) {
      const { updated } = await table.update({
        Key: runKeyOf(evaluation),
        UpdateExpression: 'SET reminded_at = :now, reminders = :reminders',
        ConditionExpression:
          '#status = :pending AND (attribute_not_exists(reminded_at) OR reminded_at = :seen)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':now': now(),
          ':reminders': reminders,
          ':seen': evaluation.remindedAtMs,
          ':pending': 'pending',
        },
      });
      return updated;
    },
  };
}
