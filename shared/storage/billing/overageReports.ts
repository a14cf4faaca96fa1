import * as z from 'zod';
import type { OverageMonth, OverageReport, OverageStore } from '../../domain/billing/ports.ts';
import { readOrganisationItem } from '../accounts/organisationItems.ts';
import { readUsage } from '../runs/usageShards.ts';
import { organisationKey, SK, SUBSCRIBER_SHARDS, subscriberShard, usageKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { readBook } from './overageBooks.ts';

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

const readMonth = (item: Item, used: number): OverageMonth => ({
  ...readBook(item),
  used,
  reported: Number(item.reported ?? 0),
  report: item.report === undefined ? undefined : readReport(item.report),
});

/** The usage item holds what was reported, beside the runs; `report` until it is confirmed. */
export function overageStore(table: Table): OverageStore {
  return {
    async subscribers(shard, { after, limit }) {
      // Ids are hexadecimal and all of one length: `!` and `~` lie before and after them.
      const range = { ...subscriberShard(shard), between: [`${after ?? ''}!`, '~'] as const };
      const items = (await table.query(range, { limit })).map((item) => String(item[SK]));
      return { items, last: items.length < limit ? null : (items.at(-1) ?? null) };
    },

    async month(orgId, month) {
      const { first, isThere, used } = await readUsage(table, orgId, month);
      return isThere ? readMonth(first ?? {}, used) : undefined;
    },

    async planOf(orgId) {
      const item = await table.get(organisationKey(orgId));
      return item && readOrganisationItem(item).plan;
    },

    async intend(orgId, month, { version, reported }, report) {
      const asRead = [
        'attribute_not_exists(report)',
        reported === 0 ? '(attribute_not_exists(reported) OR reported = :reported)' : 'reported = :reported',
        version === undefined ? 'attribute_not_exists(overage_version)' : 'overage_version = :version',
      ];
      const { updated, item } = await table.update({
        Key: usageKey(orgId, month),
        UpdateExpression: 'SET report = :report',
        ConditionExpression: asRead.join(' AND '),
        ExpressionAttributeValues: {
          ':report': reportFields(report),
          ':reported': reported,
          ...(version !== undefined && { ':version': version }),
        },
      });
      if (updated) return report;
      // The stored report, of another invocation or of this one with a lost answer, is the one to send.
      return item?.report === undefined ? undefined : readReport(item.report);
    },

    async close(orgId, month, report, how) {
      const runs = how === 'unconfirmed' ? report.to - report.from : 0;
      await table.update({
        Key: usageKey(orgId, month),
        UpdateExpression: 'SET reported = :to REMOVE report ADD overage_unconfirmed :runs',
        ConditionExpression: 'report.id = :id',
        ExpressionAttributeValues: { ':to': report.to, ':id': report.id, ':runs': runs },
      });
    },
  };
}
