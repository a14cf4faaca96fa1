import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ChunkLost } from '../../../../../shared/domain/evaluation/chunkLost.ts';
import { countIn, createCallCounter } from '../../../../../shared/domain/evaluation/judging/callCounter.ts';
import '../../../../support/seed.ts';

const CALLS_MAX = 4;

/** Counts as the table does: all of them or none. */
function counts() {
  const calls = new Map<number, number>();
  const writes: (readonly number[])[] = [];
  const begin = async (indexes: readonly number[]) => {
    writes.push([...indexes]);
    await new Promise((resolve) => setImmediate(resolve));
    if (indexes.some((index) => (calls.get(index) ?? 0) >= CALLS_MAX)) return 'exhausted' as const;
    for (const index of indexes) calls.set(index, (calls.get(index) ?? 0) + 1);
    return 'begun' as const;
  };
  return { calls, writes, countCall: createCallCounter(countIn(begin)) };
}

test('calls that begin together are counted in one write, those that begin meanwhile in the next', async () => {
  const { writes, countCall } = counts();
  const first = [0, 1, 2].map((index) => countCall(index)());
  await Promise.resolve();
  await Promise.resolve();
  const next = [3, 4].map((index) => countCall(index)());
  expect(await Promise.all([...first, ...next])).toEqual(Array.from({ length: 5 }, () => undefined));
  expect(writes).toEqual([
    [0, 1, 2],
    [3, 4],
  ]);
});

test('however calls come together, each is counted before it is made, and no case has more than four', async () => {
  const anyCalls = fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 6 }), { maxLength: 12 });
  const holds = fc.asyncProperty(anyCalls, async (rounds) => {
    const { calls, countCall } = counts();
    const made = new Map<number, number>();
    const asked = rounds.flatMap((round) => [...new Set(round)]);
    const under = rounds.map(async (round) => {
      for (const index of new Set(round)) {
        if ((await countCall(index)()) !== undefined) continue;
        made.set(index, (made.get(index) ?? 0) + 1);
        expect(made.get(index)).toBeLessThanOrEqual(calls.get(index) ?? 0);
      }
    });
    await Promise.all(under);
    for (let index = 0; index <= 5; index++) {
      const wanted = asked.filter((other) => other === index).length;
      expect(made.get(index) ?? 0).toBeLessThanOrEqual(Math.min(wanted, CALLS_MAX));
    }
  });
  await fc.assert(holds, { numRuns: 200 });
});

test('when the chunk is lost, no call that was to be counted with it is made', async () => {
  const countCall = createCallCounter(countIn(async () => 'lost'));
  const outcomes = await Promise.allSettled([0, 1].map((index) => countCall(index)()));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ChunkLost) });
});
