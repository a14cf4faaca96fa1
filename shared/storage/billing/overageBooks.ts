import * as z from 'zod';
import { PLANS, type PlanId } from '../../contracts/auth.ts';
import { includedRuns } from '../../domain/billing/overage.ts';
import { type Key, PK, SK } from '../table/keys.ts';
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

/**
 * The month's overage so far becomes the base, its runs so far the floor. The engine reads the number of runs in
 * the transaction, so that runs may be stored meanwhile: the condition fails only if their number crossed the
 * plan's limit since `item` was read.
 */
export function newBook(key: Key, item: Item | undefined, { from, to, version }: Sides): Write {
  const book = readBook(item ?? {});
  const included = includedRuns({ plan: from, floor: book.floor });
  const beyond = Number(item?.used ?? 0) > included;
  const set = [
    '#plan = :plan',
    'overage_version = :version',
    'overage_floor = if_not_exists(used, :zero)',
    beyond ? 'overage_base = used + :offset' : 'overage_base = if_not_exists(overage_base, :zero)',
  ];
  const condition = beyond ? 'used > :included' : 'attribute_not_exists(used) OR used <= :included';
  const bounded = Number.isFinite(included);
  return {
    Update: {
      Key: key,
      UpdateExpression: `SET ${set.join(', ')}`,
      ...(bounded && { ConditionExpression: condition }),
      ExpressionAttributeNames: { '#plan': 'plan' },
      ExpressionAttributeValues: {
        ':plan': to,
        ':version': version,
        ':zero': 0,
        ...(bounded && { ':included': included }),
        ...(beyond && { ':offset': book.base - included }),
      },
    },
  };
}

/** A month that is over is billed under the plan it ended with. */
export const previousMonthsBook = (item: Item, { from, version }: Sides): Write => ({
  Update: {
    Key: { pk: String(item[PK]), sk: String(item[SK]) },
    UpdateExpression: 'SET #plan = if_not_exists(#plan, :plan), overage_version = :version',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#plan': 'plan' },
    ExpressionAttributeValues: { ':plan': from, ':version': version },
  },
});
