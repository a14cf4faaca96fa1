import * as z from 'zod';
import { overageOf } from '../../domain/billing/overage.ts';
import type { OverageReport, OverageStore } from '../../domain/billing/ports.ts';
import { readUsage } from '../runs/usage.ts';
import { overageKey, SK, SUBSCRIBER_SHARDS, subscriberShard } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export const ALL_SUBSCRIBER_SHARDS = Array.from({ length: SUBSCRIBER_SHARDS }, (_, shard) => shard);

const reportSchema = z.object({
  id: z.string(),
  customer_id: z.string(),
  from: z.int(),
  to: z.int(),
  at: z.int(),
});

const reportFields = ({ customerId, ...report }: OverageReport) => ({ ...report, customer_id: customerId });

function readReport(fields: unknown): OverageReport {
  const { customer_id: customerId, ...report } = reportSchema.parse(fields);
  return { ...report, customerId };
}

/** The month's overage item holds what was reported; `report` until it is confirmed. */
export function overageStore(table: Table): OverageStore {
  return {
    async subscribers(shard, { after, limit }) {
      // Ids are hexadecimal and all of one length: `!` and `~` lie before and after them.
      const range = { ...subscriberShard(shard), between: [`${after ?? ''}!`, '~'] as const };
      const items = (await table.query(range, { limit })).map((item) => String(item[SK]));
      return { items, last: items.length < limit ? null : (items.at(-1) ?? null) };
    },

    async month(orgId, month) {
      const [usage, item] = await Promise.all([
        readUsage(table, orgId, month),
        table.get(overageKey(orgId, month)),
      ]);
      return {
        overage: overageOf(usage),
        reported: Number(item?.reported ?? 0),
        report: item?.report === undefined ? undefined : readReport(item.report),
      };
    },

    async intend(orgId, month, report) {
      const { from } = report;
      const isReportedSoFar =
        from === 0 ? '(attribute_not_exists(reported) OR reported = :from)' : 'reported = :from';
      const { updated, item } = await table.update({
        Key: overageKey(orgId, month),
        UpdateExpression: 'SET report = :report',
        ConditionExpression: `attribute_not_exists(report) AND ${isReportedSoFar}`,
        ExpressionAttributeValues: { ':report': reportFields(report), ':from': from },
      });
      if (updated) return report;
      // The stored report, of another invocation or of this one with a lost answer, is the one to send.
      return item?.report === undefined ? undefined : readReport(item.report);
    },

    async close(orgId, month, report, how) {
      const runs = how === 'unconfirmed' ? report.to - report.from : 0;
      await table.update({
        Key: overageKey(orgId, month),
        UpdateExpression: 'SET reported = :to REMOVE report ADD overage_unconfirmed :runs',
        ConditionExpression: 'report.id = :id',
        ExpressionAttributeValues: { ':to': report.to, ':id': report.id, ':runs': runs },
      });
    },
  };
}
