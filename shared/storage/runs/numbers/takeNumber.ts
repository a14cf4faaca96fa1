import { type Key, suiteHeadKey } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import type { NewRun } from './newRuns.ts';

export interface TakenNumber {
  readonly number: number;
  /** The latest time of the suite's runs up to this one: by it, unlike by `created_at`, no number is out of order. */
  readonly orderedAt: string;
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
  if (createdAt >= (head.lastRunAt ?? '')) {
    const { updated, item } = await table.update({
      Key,
      UpdateExpression: 'SET last_run_at = :at ADD run_count :one',
      ConditionExpression: `${IS_SAME_SUITE} AND ${IS_NOT_EARLIER}`,
      ExpressionAttributeValues: { ...values, ':at': createdAt },
    });
    if (updated) return takenIn(item);
    if (item?.suite_id !== head.suiteId) return undefined;
  }
  const { updated, item } = await table.update({
    Key,
    UpdateExpression: 'ADD run_count :one',
    ConditionExpression: IS_SAME_SUITE,
    ExpressionAttributeValues: values,
  });
  return updated ? takenIn(item) : undefined;
}

/** Of a run that was refused: without effect where another run has taken a number since. */
export async function returnNumber(table: Table, run: NewRun, number: number): Promise<void> {
  const update = {
    Key: headKey(run),
    UpdateExpression: 'SET run_count = :before',
    ConditionExpression: `${IS_SAME_SUITE} AND run_count = :number`,
    ExpressionAttributeValues: { ':before': number - 1, ':number': number, ':id': run.head.suiteId },
  };
  // A number that is not returned is unused.
  await table.update(update).catch(() => undefined);
}

const headKey = ({ orgId, head }: NewRun): Key => suiteHeadKey(orgId, head.slug, head.projectId);

const takenIn = (head: Item | undefined): TakenNumber => ({
  number: Number(head?.run_count),
  orderedAt: String(head?.last_run_at),
});
