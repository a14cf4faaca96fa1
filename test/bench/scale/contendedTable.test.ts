import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ASSUMED } from '../../../bench/scale/assumptions.ts';
import { ContendedTable } from '../../../bench/scale/contendedTable.ts';
import { inVirtualTime } from '../../../bench/scale/virtualTime.ts';
import type { Write } from '../../../shared/storage/table/table.ts';
import type { Simulation } from '../../faults/simulation.ts';

const key = (sk: string) => ({ pk: 'P', sk });
const addOne = (sk: string): Write => ({
  Update: {
    Key: key(sk),
    UpdateExpression: 'ADD total :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
});
const play = <T>(work: (table: ContendedTable, sim: Simulation) => Promise<T>): Promise<T> =>
  inVirtualTime('contended table', 1, (sim) => work(new ContendedTable(sim, { transactionMs: 20 }), sim));

const sks = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
const writer = fc.record({ startMs: fc.nat(60), sks });

test('of transactions that meet on items each is committed once, however often it was refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writer, { minLength: 1, maxLength: 6 }), (writers) =>
      play(async (table, sim) => {
        await Promise.all(
          writers.map(async ({ startMs, sks: touched }) => {
            await sim.sleep(startMs);
            const outcome = await table.transact(Object.fromEntries(touched.map((sk) => [sk, addOne(sk)])));
            expect(outcome).toEqual({ committed: true });
          }),
        );
        expect(table.transactions).toBe(writers.length + table.conflicts);
        for (const sk of ['a', 'b', 'c'] as const) {
          const times = writers.filter(({ sks: touched }) => touched.includes(sk)).length;
          expect((await table.get(key(sk)))?.total).toBe(times === 0 ? undefined : times);
        }
      }),
    ),
    { numRuns: 50 },
  );
});

test('a transaction refuses another one and a write that meet its items, and no read', () =>
  play(async (table, sim) => {
    await table.memory.put({ ...key('a'), total: 0 });
    const first = table.transact({ a: addOne('a') });
    await sim.sleep(20 * ASSUMED.untilHeld + 2);
    const second = table.transact({ b: addOne('b'), a: addOne('a') });
    const third = table.update(addOne('a').Update as Parameters<typeof table.update>[0]);
    expect(await table.get(key('a'))).toMatchObject({ total: 0 });
    await Promise.all([first, second, third]);
    expect(table.conflicts).toBeGreaterThanOrEqual(2);
    expect(await table.get(key('a'))).toMatchObject({ total: 3 });
  }));

test('transactions on items of their own never meet', () =>
  play(async (table) => {
    await Promise.all(['a', 'b', 'c'].map((sk) => table.transact({ [sk]: addOne(sk) })));
    expect([table.transactions, table.conflicts]).toEqual([3, 0]);
  }));

test('a failed condition is answered, not repeated', () =>
  play(async (table) => {
    await table.memory.put({ ...key('a'), total: 7 });
    const fails = { Put: { Item: key('a'), ConditionExpression: 'attribute_not_exists(pk)' } };
    const outcome = await table.transact({ a: fails, b: addOne('b') });
    expect(outcome).toEqual({ committed: false, failed: new Map([['a', { ...key('a'), total: 7 }]]) });
    expect(table.transactions).toBe(1);
  }));

test('units are those of DynamoDB: whole kilobytes written, four read, a transaction twice', () =>
  play(async (table) => {
    const text = 'x'.repeat(1_500);
    await table.put({ ...key('a'), text });
    expect(table.consumed()).toEqual({ read: 0, write: 2 });
    await table.transact({ a: { Put: { Item: { ...key('a'), text } } }, b: addOne('b') });
    expect(table.consumed()).toEqual({ read: 0, write: 2 + 4 + 2 });
    await table.get(key('a'));
    await table.getMany([key('a'), key('b')]);
    await table.query({ pk: 'P' });
    expect(table.consumed()).toEqual({ read: 1 + 2 + 1, write: 8 });
  }));

test('the hottest key is that with the most units in one second', () =>
  play(async (table, sim) => {
    const write = (pk: string) => table.put({ pk, sk: 'x' });
    for (let second = 0; second < 3; second++) {
      await sim.sleep(1_000 - (sim.now() % 1_000));
      await Promise.all([write('steady'), write('steady')]);
    }
    await Promise.all([write('burst'), write('burst'), write('burst')]);
    expect(table.units.hottest('write')).toEqual({ pk: 'burst', unitsPerSecond: 3 });
    expect(table.units.hottest('read')).toBeUndefined();
  }));
