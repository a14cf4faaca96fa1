import type { Row } from '../result.ts';
import { TRANSACTION_MS } from './assumptions.ts';
import { ContendedTable } from './contendedTable.ts';
import type { Model } from './model.ts';
import { inVirtualTime, percentile, poisson } from './virtualTime.ts';

const SIZE = {
  full: { perSecond: [10, 30, 60], seconds: 60 },
  smallest: { perSecond: [10], seconds: 1 },
} as const;
const KEY = { pk: 'SHARED', sk: 'ITEM' };

interface Load {
  readonly perSecond: number;
  readonly seconds: number;
  readonly transactionMs: number;
}

const done = (waitsMs: readonly number[]): number[] => waitsMs.filter((ms) => ms < Number.POSITIVE_INFINITY);

const oneItem = ({ perSecond, seconds, transactionMs }: Load): Promise<Row[]> =>
  inVirtualTime('one item', 1, async (sim) => {
    const table = new ContendedTable(sim, { transactionMs });
    const add = { UpdateExpression: 'ADD total :one', ExpressionAttributeValues: { ':one': 1 } };
    const waitsMs = await poisson(sim, { perSecond, seconds }, async () => {
      const fromMs = sim.elapsedMs;
      const isDone = await table.transact({ shared: { Update: { Key: KEY, ...add } } }).then(
        () => true,
        () => false,
      );
      return isDone ? sim.elapsedMs - fromMs : Number.POSITIVE_INFINITY;
    });
    const metric = `${perSecond} transactions of ${transactionMs} ms a second add to one item`;
    const failed = waitsMs.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
    return [
      { metric: `${metric}: failed`, value: failed / waitsMs.length, unit: 'of all' },
      { metric: `${metric}: p99 of those done`, value: percentile(done(waitsMs), 0.99), unit: 'ms' },
      { metric: `${metric}: tries`, value: table.transactions / waitsMs.length, unit: 'each' },
    ];
  });

/** What transactions bear that share an item and nothing else: the reason for shards and for plain `ADD`. */
export const modelOneItem: Model = async (size) => {
  const { perSecond, seconds } = SIZE[size];
  const rows: Row[] = [];
  for (const transactionMs of TRANSACTION_MS) {
    for (const rate of perSecond) rows.push(...(await oneItem({ perSecond: rate, seconds, transactionMs })));
  }
  return rows;
};
