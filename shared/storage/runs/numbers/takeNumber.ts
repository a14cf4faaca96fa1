import { type Key, suiteHeadKey } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import type { NewRun } from './newRuns.ts';

export interface TakenNumber {
  readonly number: number;
  /** The latest time of the suite's runs up to this one: by it, unlike by `created_at`, no number is out of order. */
  readonly orderedAt: string;
  /** The number of the default branch's latest run up to this one; 0 without one. */
  readonly defaultRun: number;
}

const IS_SAME_SUITE = 'suite_id = :id';
const IS_NOT_EARLIER = '(attribute_not_exists(last_run_at) OR last_run_at <= :at)';

/**
 * Takes the suite's next number by adding to the head, whose latest time never falls. No other run gets the number:
 * where no run is stored under it, it stays unused. Undefined: the suite is gone.
 */
export async function takeNumber(table: Table, run: NewRun): Promise<TakenNumber | undefined> {
  const { head, createdAt } = run;
  const Key = headKey(run);
  const values = { ':id': head.suiteId, ':one': 1 };
  const sets = run.isOfDefaultBranch ? ['default_run = run_count + :one'] : [];
  if (createdAt >= (head.lastRunAt ?? '')) {
    const { updated, item } = await table.update({
      Key,
      UpdateExpression: addOne([...sets, 'last_run_at = :at']),
      ConditionExpression: `${IS_SAME_SUITE} AND ${IS_NOT_EARLIER}`,
      ExpressionAttributeValues: { ...values, ':at': createdAt },
    });
    if (updated) return takenIn(item);
    if (item?.suite_id !== head.suiteId) return undefined;
  }
  const { updated, item } = await table.update({
    Key,
    UpdateExpression: addOne(sets),
    ConditionExpression: IS_SAME_SUITE,
    ExpressionAttributeValues: values,
  });
  return updated ? takenIn(item) : undefined;
}

const addOne = (sets: readonly string[]): string =>
  `${sets.length > 0 ? `SET ${sets.join(', ')} ` : ''}ADD run_count :one`;

/** Of a run that was refused: without effect where another run has taken a number since its head was read. */
export async function returnNumber(table: Table, run: NewRun, number: number): Promise<void> {
  const { suiteId, runCount, defaultRun } = run.head;
  // A number that is not returned is unused. After a returned one the head is as it was read.
  if (number !== runCount + 1) return;
  const update = {
    Key: headKey(run),
    UpdateExpression: 'SET run_count = :before, default_run = :default',
    ConditionExpression: `${IS_SAME_SUITE} AND run_count = :number`,
    ExpressionAttributeValues: {
      ':before': runCount,
      ':default': defaultRun,
      ':number': number,
      ':id': suiteId,
    },
  };
  await table.update(update).catch(() => undefined);
}

const headKey = ({ orgId, head }: NewRun): Key => suiteHeadKey(orgId, head.slug, head.projectId);

const takenIn = (head: Item | undefined): TakenNumber => ({
  number: Number(head?.run_count),
  orderedAt: String(head?.last_run_at),
  defaultRun: Number(head?.default_run),
});
