import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { monthOf, timestamp } from '../../../../shared/domain/time.ts';
import { analyticsStore } from '../../../../shared/storage/runs/analytics.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { usageStore } from '../../../../shared/storage/runs/usage.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { runKey, usageKey, usageOfMonth } from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { contended } from '../contended.ts';
import { resultOf } from '../results.ts';
import { finishedRun, type MadeSuite, makeStoredSuite } from '../stored.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');
const AT = { startedAtMs: NOW_MS, completedAtMs: NOW_MS };
const MONTH = monthOf(timestamp(NOW_MS));
const FREE = { id: 'free', version: 1 } as const;
const PRO = { id: 'pro', version: 1 } as const;

const used = (table: Table, { orgId }: MadeSuite) => usageStore(table).used(orgId, MONTH);
const runsIn = (table: Table, { orgId, suite }: MadeSuite) =>
  table.query({ pk: runKey(orgId, suite.id, 1).pk, prefix: 'RUN#' });

test.each([
  ['under a plan that blocks further runs', FREE],
  ['under any other', PRO],
])(
  '%s a run that others always come before is given up, and nothing of it is stored or counted',
  async (_, plan) => {
    const table = new MemoryTable(() => NOW_MS);
    const made = await makeStoredSuite(table);
    const waits: number[] = [];
    const never = contended(table, { conflicts: Number.POSITIVE_INFINITY, waits });
    const run = finishedRun(made, [resultOf(0, 'x')], { ...AT, plan });
    expect(await runStore(never, randomUUID).commit(run)).toEqual({ outcome: 'busy' });
    expect([await used(table, made), await runsIn(table, made)]).toEqual([0, []]);
    // What they come to at most, by the steps of the backoff.
    const longestMs = waits.reduce((sum, attempt) => sum + Math.min(250, 4 * 2 ** attempt), 0);
    expect(longestMs).toBeLessThanOrEqual(2_100);
    expect(longestMs).toBeGreaterThan(1_500);
    const after = runStore(contended(table, { conflicts: 5 }), randomUUID);
    expect(await after.commit(run)).toMatchObject({ outcome: 'stored' });
    expect(await used(table, made)).toBe(1);
  },
);

test('a quiet organisation is counted in one item, and one whose runs meet in shards that sum to the same', async () => {
  const table = new MemoryTable(() => NOW_MS);
  const made = await makeStoredSuite(table);
  const commit = (over: Table, times: number) => {
    const store = runStore(over, randomUUID);
    const once = () => store.commit(finishedRun(made, [resultOf(0, 'x')], AT));
    return Array.from({ length: times }).reduce<Promise<unknown>>(
      (before) => before.then(once),
      Promise.resolve(),
    );
  };
  await commit(table, 20);
  expect(await table.query(usageOfMonth(made.orgId, MONTH))).toMatchObject([{ used: 20 }]);
  await commit(contended(table, { conflicts: 1 }), 60);
  expect((await table.query(usageOfMonth(made.orgId, MONTH))).length).toBeGreaterThan(8);
  expect(await used(table, made)).toBe(80);
  const head = await suiteStore(table).head(made.orgId, made.suite.slug, made.suite.project_id);
  const days = await analyticsStore(table).days(made.orgId, head!, {
    from: '2036-05-01',
    to: '2036-05-31',
    branch: undefined,
  });
  expect(days).toEqual([{ date: '2036-05-05', figures: { runs: 80, cleared: 80, passRateSum: 80e9 } }]);
});

test('never more runs than the quota are stored, however often they meet', async () => {
  const table = new MemoryTable(() => NOW_MS);
  const made = await makeStoredSuite(table);
  await table.put({ ...usageKey(made.orgId, MONTH, FREE.version), plan: 'free', used: 497 });
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, run) => {
      const store = runStore(contended(table, { conflicts: run % 4 }), randomUUID);
      return store.commit(finishedRun(made, [resultOf(0, 'x')], { ...AT, plan: FREE }));
    }),
  );
  const count = (outcome: string) => outcomes.filter((one) => one.outcome === outcome).length;
  expect([count('stored'), count('quota_exceeded')]).toEqual([3, 5]);
  expect([await used(table, made), (await runsIn(table, made)).length]).toEqual([500, 3]);
});
