import { expect, test } from '@jest/globals';
import type { Counts, TableOperation } from '../../../bench/cost/costCounts.ts';
import { hottestRows, zipf } from '../../../bench/scale/loadKeys.ts';
import { Random } from '../../faults/random.ts';

const DRAWS = 40_000;

test("by Zipf's law the second organisation makes half of the runs of the first, the fourth a quarter", () => {
  const [random, organisation] = [new Random(1), zipf(50)];
  const drawn = Array.from({ length: DRAWS }, () => organisation(random));
  const runsOf = (rank: number) => drawn.filter((one) => one === rank - 1).length;
  expect(Math.min(...drawn)).toBe(0);
  expect(Math.max(...drawn)).toBe(49);
  for (const rank of [2, 4, 10]) expect((runsOf(1) / runsOf(rank)).toFixed(0)).toBe(String(rank));
});

const counts = (...table: TableOperation[]): Counts => ({
  ...{ httpRequests: 1, sentBytes: 0, egressBytes: 0, queue: {}, kmsCalls: 0, invocations: [], logBytes: 0 },
  table,
});
const operation = (kind: 'read' | 'write', units: number, ...pks: string[]): TableOperation => ({
  ...{ name: 'Some', kind, units, pks },
});

test('units go to the keys of their organisation, those of a list in shards to the shards', () => {
  const transaction = operation('write', 8, 'ORG#a', 'ORG#a#SUITE#b', 'ORG#a#SUITE#b', 'PENDING#3');
  const run = [counts(transaction, operation('read', 2, 'APIKEY#hash'))];
  const traffic = { sync: run, judged: run };
  const [write, read, shared] = hottestRows('the peak', traffic, { seconds: 5, organisation: () => 7 });
  // All runs of one second, at most, are those of this organisation.
  expect(write?.metric).toContain('(ORG#SUITE)');
  expect(write?.value).toBeGreaterThan(4 * 900);
  expect(read).toMatchObject({
    metric: expect.stringContaining('(APIKEY)'),
    unit: 'read units a second',
    value: Number(write?.value) / 2,
  });
  expect(shared?.bound).toEqual({ atMost: 1_000 });
  expect(shared?.value).toBeGreaterThan(2 * 90);
  expect(shared?.value).toBeLessThan(Number(write?.value) / 4);
});
