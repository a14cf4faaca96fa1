import * as z from 'zod';
import { PLANS, type PlanId } from '../../contracts/auth.ts';
import { includedRuns } from '../../domain/billing/overage.ts';
import type { Closed, MonthUsage } from '../runs/usageShards.ts';
import type { Key } from '../table/keys.ts';
import type { Item, Write } from '../table/table.ts';

/** The fields of a usage item besides the runs. They are missing until the plan changes. */
const bookSchema = z.object({
  plan: z.enum(PLANS).optional(),
  overage_base: z.number().default(0),
  overage_floor: z.number().default(0),
  overage_version: z.number().optional(),
});

export function readBook(item: Item) {
  const { plan, overage_base: base, overage_floor: floor, overage_version: version } = bookSchema.parse(item);
  return { plan, base, floor, version };
}

interface Sides {
  readonly from: PlanId;
  readonly to: PlanId;
  /** The organisation's version after this change. */
  readonly version: number;
}

type Change = Sides & Closed;

/**
 * The month's runs all move to its first item. Its overage so far becomes the base, its runs so far the floor. The
 * engine reads the number of runs in the transaction, so that runs may be stored meanwhile: the condition fails only
 * if their number crossed the plan's limit since the usage was read.
 */
export function newBook(key: Key, usage: MonthUsage, { from, to, version, mark, fence }: Change): Write {
  const book = readBook(usage.first ?? {});
  const included = includedRuns({ plan: from, floor: book.floor });
  const beyond = usage.used > included;
  const moved = usage.inShards;
  const runs = 'if_not_exists(used, :zero)';
  const set = [
    '#plan = :plan',
    'overage_version = :version',
    'epoch = :version',
    `used = ${runs} + :moved`,
    `overage_floor = ${runs} + :moved`,
    beyond ? `overage_base = ${runs} + :offset` : 'overage_base = if_not_exists(overage_base, :zero)',
  ];
  const withinFirst = included - moved;
  const isLimit = beyond ? 'used > :limit' : 'used <= :limit';
  const holdsWithoutRuns = beyond === 0 > withinFirst;
  const condition = holdsWithoutRuns ? `attribute_not_exists(used) OR ${isLimit}` : isLimit;
  const closed = 'closing = :mark AND fence = :fence';
  const bounded = Number.isFinite(included);
  return {
    Update: {
      Key: key,
      UpdateExpression: `SET ${set.join(', ')} REMOVE closing`,
      ConditionExpression: bounded ? `${closed} AND (${condition})` : closed,
      ExpressionAttributeNames: { '#plan': 'plan' },
      ExpressionAttributeValues: {
        ':plan': to,
        ':version': version,
        ':zero': 0,
        ':moved': moved,
        ':mark': mark,
        ':fence': fence,
        ...(bounded && { ':limit': withinFirst }),
        ...(beyond && { ':offset': book.base - withinFirst }),
      },
    },
  };
}

/** A month that is over is billed under the plan it ended with. */
export const previousMonthsBook = (key: Key, { from, version }: Sides): Write => ({
  Update: {
    Key: key,
    UpdateExpression: 'SET #plan = if_not_exists(#plan, :plan), overage_version = :version',
    ExpressionAttributeNames: { '#plan': 'plan' },
    ExpressionAttributeValues: { ':plan': from, ':version': version },
  },
});
